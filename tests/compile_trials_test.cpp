// What a kernel takes if the loop is not unrolled, or the function not inlined,
// that its registers come from.
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

TEST(CompileTrials, TheEstimateOfALoopIsTried) {
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

// A polynomial of many values, all alive at its end.
constexpr const char *inlined =
    "__device__ __forceinline__ float solve(const float *y, int n) {\n"
    "  float a = y[0], b = y[n], c = y[2 * n], d = y[3 * n], e = y[4 * n],\n"
    "        f = y[5 * n], g = y[6 * n], h = y[7 * n], i = y[8 * n],\n"
    "        j = y[9 * n], k = y[10 * n], l = y[11 * n], m = y[12 * n];\n"
    "  float p = a * b + c, q = d * e + f, r = g * h + i, s = j * k + l;\n"
    "  return (a + p) * (b + q) * (c + r) * (d + s) * (e + p) * (f + q) *\n"
    "         (g + r) * (h + s) * (i + p) * (j + q) * (k + r) * (l + s) * m;\n"
    "}\n"
    "__global__ void k(float *x, const float *y, int n) {\n"
    "  x[threadIdx.x] = solve(y + threadIdx.x, n);\n"
    "}\n";

TEST(CompileTrials, AnInlinedFunctionIsTriedAsACall) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", inlined);
  Outcome outcome = runProgram({"registers", "--arch", "sm_90", file});
  EXPECT_THAT(outcome.out, HasSubstr("values of the inlined 'solve' hold"));
  EXPECT_THAT(outcome.out, HasSubstr("tried with '__noinline__' on 'solve': "));
}

} // namespace
