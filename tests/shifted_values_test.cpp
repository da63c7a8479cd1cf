// A loop that doubles or halves a number is short, however large a size is that
// nobody knows.
#include "cost/frequency.h"
#include "cost/shifted_values.h"
#include "kernel_of.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

Trips tripsOf(const std::string &step) {
  const Kernel kernel = kernelOf("__global__ void k(int *a, int n, int m) {\n"
                                 "  int stride = m;\n"
                                 "  for (int j = 0; j < n; ++j) {\n"
                                 "    a[threadIdx.x + stride] += j;\n" +
                                 step + "\n  }\n}\n");
  return Frequencies(kernel, kernel.shapes[0]).trips(0);
}

} // namespace

// Nothing is left of 32 bits after 32 iterations: a network that sorts, a tree.
TEST(ShiftedValues, NumberOfStepsIsThatOfBits) {
  for (const char *step :
       {"stride *= 2;", "stride <<= 1;", "stride /= 2;", "stride >>= 1;",
        "stride += stride;", "stride = (stride + 1) / 2;",
        "stride = stride * 2 + 1;", "stride = 2 * stride + 1;",
        "stride = (stride << 1) | 1;"}) {
    const Trips trips = tripsOf(step);
    EXPECT_LE(trips.count, 32) << step;
    EXPECT_TRUE(trips.isShort) << step << ": 'n' is not taken to be large";
  }
}

TEST(ShiftedValues, OtherStepsSayNothing) {
  for (const char *step :
       {"stride += 2;", "stride = stride * 2 + a[j];", "stride *= 1103515245;",
        "stride = stride * 5 + 1;", "stride *= 3;", "if (a[j]) stride *= 2;",
        "stride = j * 2;", "stride *= m;"})
    EXPECT_GT(tripsOf(step).count, 100) << step;
}

} // namespace warplint
