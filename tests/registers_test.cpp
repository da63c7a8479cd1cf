// From a source to who holds its registers, by the real nvcc and nvdisasm.
#include "register_sources.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(Registers, ExplainsAKernelInOneLine) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  const Outcome run =
      runProgram({"resources", file, "--explain", "--arch", "sm_90"});
  EXPECT_THAT(run.out, HasSubstr("tight (sm_90): "));
  EXPECT_THAT(run.out, HasSubstr("registers are live"));
}

TEST(Registers, SaysWhichKernelIsNotThere) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  const Outcome run = runProgram({"registers", file, "--kernel", "nothing"});
  EXPECT_THAT(run.err, HasSubstr("no kernel's name contains 'nothing'"));
}

} // namespace
