// What a kernel takes if the loop is not unrolled that its registers come from.
#include "register_sources.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr const char *unrolled =
    "__global__ void k(float *x, const float *y, int n) {\n"
    "  float s = 0;\n"
    "  for (int i = 0; i < 24; ++i)\n"
    "    s += x[i * n + threadIdx.x] * y[i * n + threadIdx.x];\n"
    "  x[threadIdx.x] = s;\n"
    "}\n"
    "__global__ void few(float *x) { x[threadIdx.x] = 1; }\n";

TEST(CompileRolled, TheEstimateOfALoopIsTried) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", unrolled);
  Outcome outcome = runProgram({"registers", "--arch", "sm_90", file});
  EXPECT_THAT(outcome.out, HasSubstr("the loop at line 3 is unrolled"));
  EXPECT_THAT(outcome.out,
              HasSubstr("tried with one copy of the loop at line 3: "));
  Outcome other =
      runProgram({"registers", "--arch", "sm_90", "--kernel", "few", file});
  EXPECT_THAT(other.out, Not(HasSubstr("tried")));
}

} // namespace
