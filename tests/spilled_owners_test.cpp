// Tests who is stored to the stack frame, by the real nvcc and nvdisasm.
#include "register_sources.h"
#include "resource_sources.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(SpilledOwners, NamesWhatIsSpilled) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  const Outcome run =
      runProgram({"registers", file, "--kernel", "tight", "--arch", "sm_90"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("is spilled: "));
  EXPECT_THAT(run.out, HasSubstr("in a loop"));
  EXPECT_THAT(run.out, HasSubstr("tried without its limits: "));
  const Outcome check = runProgram(
      {"check", file, "--check", "register-spill", "--arch", "sm_90"});
  EXPECT_THAT(check.out, HasSubstr("is spilled: "));
}

// Bounds that make a kernel spill are the cause: the reader has one finding.
TEST(SpilledOwners, BoundsStandForTheSpillsThatTheyMake) {
  NEEDS_NVCC("the spills of one kernel");
  InputFolder folder;
  const std::string out =
      runProgram({"check", folder.write("a.cu", crowded), "--check",
                  "register-spill,tight-launch-bounds", "--minor", "--arch",
                  "sm_90"})
          .out;
  EXPECT_THAT(out, HasSubstr("[tight-launch-bounds]"));
  EXPECT_THAT(out, testing::Not(HasSubstr("[register-spill]")));
}

// Values that are not needed at once share bytes of the frame: each has its own
// lines.
TEST(SpilledOwners, TellsApartWhatSharesAWordOfTheFrame) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
__global__ void __maxnreg__(32)
phases(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float early[40], late[40];
#pragma unroll
  for (int k = 0; k < 40; ++k)
    early[k] = a[k * n + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 40; ++k)
    c[k * n + i] = early[k] * early[39 - k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 40; ++k)
    late[k] = b[k * n + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 40; ++k)
    c[k * n + i] = late[k] * late[39 - k];
}
)");
  auto linesOf = [&](llvm::StringRef name) {
    const auto line = llvm::StringRef(out).split(name).second.split('\n').first;
    return line.split("stored at").second.str();
  };
  const std::string early = linesOf("variable 'early[40]' is spilled");
  const std::string late = linesOf("variable 'late[40]' is spilled");
  EXPECT_THAT(early, testing::ContainsRegex("loaded at line.* 12")) << out;
  EXPECT_THAT(early, testing::Not(testing::ContainsRegex("16|20")));
  EXPECT_THAT(late, HasSubstr("loaded at line 20,")) << out;
}

} // namespace
