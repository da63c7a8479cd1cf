// Which kernels compute their own rounding errors.
#include "cost/compensated.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

bool isCompensatedIn(const std::string &body) {
  SourceModel model =
      readText("__global__ void k(float *v, int n) {\n"
               "  float a = v[threadIdx.x], b = v[threadIdx.x + 32];\n"
               "  float s = v[threadIdx.x + 64];\n" +
               body + "\n  v[threadIdx.x] = s;\n}\n");
  return isCompensated(model.kernels.at(0));
}

} // namespace

TEST(Compensated, ASumFromWhichATermIsTakenOutIs) {
  for (const char *body :
       {"s = __fsub_rn(__fadd_rn(a, b), a);",
        "s = __fsub_rn(a, __fsub_rn(a, b));", "s = (a + b) + -a;",
        "for (int k = 0; k < n; ++k) { float t = s + v[k]; a += (t - s) - b; "
        "s = t; } s += a;"})
    EXPECT_TRUE(isCompensatedIn(body)) << body;
}

TEST(Compensated, AProductsRoundingIs) {
  EXPECT_TRUE(
      isCompensatedIn("float p = __fmul_rn(a, b); s = fmaf(a, b, -p);"));
  EXPECT_TRUE(
      isCompensatedIn("float p = __fmul_rn(b, a); s = fmaf(-a, b, p);"));
  EXPECT_FALSE(
      isCompensatedIn("float p = __fmul_rn(a, s); s = fmaf(a, b, -p);"));
}

TEST(Compensated, OtherSumsAreNone) {
  for (const char *body :
       {"s = __fadd_rn(a, b);", "s = (a - b) + a;", "s = a + (a + b);",
        "s = a + s * (b - a);", "s = (b - a) - a;"})
    EXPECT_FALSE(isCompensatedIn(body)) << body;
}
