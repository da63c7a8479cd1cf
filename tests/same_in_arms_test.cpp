// What both arms of an `if` access is accessed once.
#include "cost/same_in_arms.h"
#include "model_builder.h"
#include "time_of.h"

using namespace warplint;

namespace {

struct SameInArms : TimeOf {
  /// The sectors that a warp moves between L1 and L2.
  double sectors(const std::string &body) {
    return read("__global__ void k(float *a, const float *x, const float *y, "
                "const int *c, int mode) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                body +
                "}\n"
                "int main() { k<<<4096, 256>>>(0, 0, 0, 0, 1); }\n")
        .total()
        .sectors;
  }
};

} // namespace

// nvcc makes one store of both: a kernel that was said to be bound by L2 took
// 1.4 times as long for a division beside them (H200).
TEST_F(SameInArms, BothArmsStoreOnce) {
  const double one = sectors("a[i] = c[i] ? 1 : 2;\n");
  EXPECT_DOUBLE_EQ(sectors("if (c[i]) a[i] = 1; else a[i] = 2;\n"), one);
  EXPECT_DOUBLE_EQ(sectors("if (c[i] > 1) a[i] = 1;\n"
                           "else if (c[i] > 0) a[i] = 2;\n"
                           "else a[i] = 3;\n"),
                   one);
  // Other elements are other stores.
  EXPECT_GT(sectors("if (c[i]) a[i] = 1; else a[i + 1] = 2;\n"), one + 3);
}

// A condition that the launch decides leaves one arm, and it is whole.
TEST_F(SameInArms, AnArmThatNoThreadTakesCountsForNothing) {
  EXPECT_DOUBLE_EQ(sectors("if (mode) a[i] = 1; else a[i] = 2;\n"),
                   sectors("a[i] = 1;\n"));
}

// Conditions that do not exclude each other are no arms.
TEST_F(SameInArms, TwoStoresOneAfterTheOtherAreTwo) {
  const double one = sectors("a[i] = c[i];\n");
  EXPECT_GT(sectors("if (c[i] > 0) a[i] = 1;\n"
                    "__syncthreads();\n"
                    "if (c[i] < 7) a[i] = 2;\n"),
            one + 3);
}
