// How many blocks of a grid have something to do.
#include "cost/blocks_under.h"
#include "cost/frequency.h"
#include "cost/kernel_time.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct BlocksUnder : testing::Test {
  SourceModel model;

  /// The part of the blocks that store, in a grid of 1024 blocks of 256 threads,
  /// or of 32x32 blocks of 16x16.
  double part(const std::string &condition, const std::string &arguments,
              bool isPlane = false) {
    model = readText("__global__ void k(int *out, int n, int m) {\n"
                     "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                     "  if (" +
                     condition +
                     ") out[y * 4096 + x] = 1;\n"
                     "}\n"
                     "void run(int *p, int given) {\n"
                     "  k<<<" +
                     (isPlane ? "dim3(32, 32), dim3(16, 16)" : "1024, 256") +
                     ">>>(p, " + arguments +
                     ");\n"
                     "}\n");
    const Kernel &kernel = model.kernels.at(0);
    Evaluation evaluation(kernel, kernel.shapes[0].launches);
    return blocksUnder(evaluation, kernel.shapes[0],
                       kernel.accesses.at(0).guard);
  }
};

} // namespace

TEST_F(BlocksUnder, ABoundLetsThroughTheBlocksBelowIt) {
  EXPECT_DOUBLE_EQ(part("x < n", "256 * 256, 0"), 0.25);
  EXPECT_DOUBLE_EQ(part("x < n", "1000, 0"), 4.0 / 1024);
  EXPECT_DOUBLE_EQ(part("x >= n", "256 * 256, 0"), 0.75);
  EXPECT_DOUBLE_EQ(part("x < n", "1 << 20, 0"), 1);
}

TEST_F(BlocksUnder, BoundsOfAPlaneCountTogether) {
  EXPECT_DOUBLE_EQ(part("x < n && y < m", "256, 128", true), 0.5 * 0.25);
}

TEST_F(BlocksUnder, WhatIsUnknownLetsAllThrough) {
  EXPECT_DOUBLE_EQ(part("x < n", "given, 0"), 1);
  EXPECT_DOUBLE_EQ(part("x % n < 5", "1000, 0"), 1);
  EXPECT_DOUBLE_EQ(part("x <= y", "0, 0", true), 1) << "a triangle";
}

// A loop that steps by the grid is entered where a bound would let through.
TEST_F(BlocksUnder, ALoopOfTheGridIsABound) {
  for (const char *loop :
       {"for (int i = x; i < n; i += gridDim.x * blockDim.x) out[i] = 1;",
        "if (x < n) out[x] = 1;"}) {
    model = readText("__global__ void k(int *out, int n) {\n"
                     "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
                     std::string(loop) +
                     "\n}\nvoid run(int *p) { k<<<1024, 256>>>(p, 1000); }\n");
    const Kernel &kernel = model.kernels.at(0);
    const Access &store = kernel.accesses.at(0);
    const Frequency found =
        Frequencies(kernel, kernel.shapes[0]).of(store.loops, store.guard);
    EXPECT_LT(found.perWarp, 0.2) << loop;
    EXPECT_DOUBLE_EQ(found.longest, 1) << loop;
  }
}

// An H200 takes 13 us for a grid that fits, and an H100 49 for one of 16 times
// as many blocks and 167 for 64 times as many: 41 and 161 of it are their start.
TEST_F(BlocksUnder, BlocksWithoutWorkTakeTheirStartAlone) {
  auto microseconds = [](const std::string &blocks) {
    const SourceModel model = readText(
        "__global__ void k(const float *in, float *out, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) out[i] = in[i * 8];\n"
        "}\n"
        "int main() { k<<<" +
        blocks + ", 256>>>(0, 0, 1 << 20); }\n");
    const CostedKernel kernel = costed(model.kernels.at(0));
    return timeOf(kernel, kernel.shapes[0]).microseconds().value_or(0);
  };
  const double fits = microseconds("1 << 12");
  EXPECT_NEAR(fits, 13, 4);
  EXPECT_NEAR(microseconds("1 << 16"), 49, 10);
  EXPECT_NEAR(microseconds("1 << 18"), 167, 30);
}
