// Tests what of a source is linted if part of it is wrong.
#include "program_runs.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

TEST(Lint, AnErrorInOneKernelLeavesTheOthersLinted) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write(
      "a.cu", std::string(strided) +
                  "__global__ void bad(float *a) { a[0] = undeclared; }\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("a.cu:1:"), HasSubstr("[strided-global-access]"),
                    HasSubstr("a.cu: read in part: a.cu:2: use of undeclared "
                              "identifier 'undeclared'")));
}

TEST(Lint, AnErrorOutsideKernelsLeavesThemLinted) {
  InputFolder folder;
  Outcome outcome = checkOnly(
      folder.write("a.cu", std::string(clean) + "int main() { oops }\n"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("no findings in 1 kernel"),
                                 HasSubstr("a.cu: read in part: a.cu:2: ")));
}

} // namespace
