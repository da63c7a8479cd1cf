// What one condition decides, it decides wherever it is written.
#include "launched.h"
#include "source/same_conditions.h"

namespace warplint {

// 'd == 3 ? x : 1, d == 3 ? y : 1' gave four blocks, two of which never occur.
TEST(SameConditions, AConditionHasOneValueWhereverItIsAsked) {
  auto inRun = [](const std::string &body) {
    return launched("void run(float *p, int n, int d) { " + body + " }");
  };
  const std::string block = "dim3 b(d == 3 ? 8 : 32, d != 3 ? 4 : 16);\n";
  EXPECT_EQ(inRun(block + "k<<<n, b>>>(p);"), "32x4x1 8x16x1");
  EXPECT_EQ(inRun(block + "if (!(d == 3)) k<<<n, b>>>(p);"), "32x4x1");
  EXPECT_EQ(inRun("dim3 b(d == 3 ? 8 : 32, d == 2 ? 4 : 16);\n"
                  "k<<<n, b>>>(p);"),
            "32x16x1 32x4x1 8x16x1 8x4x1");
  EXPECT_EQ(inRun("int x = d == 3 ? 8 : 32; d = n / 2;\n"
                  "k<<<n, dim3(x, d == 3 ? 16 : 4)>>>(p);"),
            "32x4x1 32x16x1 8x4x1 8x16x1");
}

} // namespace warplint
