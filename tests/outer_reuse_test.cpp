// Tests what outer loops find in a cache, of kernels as users write them.
#include "cost/kernel_time.h"
#include "cost/outer_reuse.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The nearest of 32 centres: what its loads of 'feature' demand.
struct OuterReuseOf : testing::Test {
  Demand feature(const std::string &dimensions, const std::string &index,
                 const std::string &also = "") {
    const SourceModel model = readText(
        "__global__ void k(float *feature, const float *centre,\n"
        "                  int *nearest, int n, int many) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  float best = 1e30f;\n"
        "  const int dimensions = " +
        dimensions +
        ";\n"
        "  for (int c = 0; c < 32; ++c) {\n"
        "    float distance = 0;\n"
        "    for (int d = 0; d < dimensions; ++d)\n"
        "      distance += feature[" +
        index + "] - centre[c * dimensions + d];\n" + also +
        "    if (distance < best) { best = distance; nearest[i] = c; }\n"
        "  }\n"
        "}\n"
        "void run(float *a, int *b, int many) {\n"
        "  k<<<4096, 256>>>(a, a, b, 4096 * 256, many);\n"
        "}\n");
    const Kernel &kernel = model.kernels.at(0);
    const CostedKernel costs = costed(kernel);
    for (unsigned i = 0; i < kernel.accesses.size(); ++i)
      if (kernel.accesses[i].object == "feature" &&
          kernel.accesses[i].operation == Operation::Load)
        return timeOf(costs, costs.shapes[0]).of(i);
    ADD_FAILURE() << "no load";
    return {};
  }
};

} // namespace

// An H200 takes 84 microseconds for this kernel; from DRAM for each centre, it
// would take 460.
TEST_F(OuterReuseOf, TheSameMemoryIsLoadedOnceWhileACacheHoldsIt) {
  const Demand demand = feature("16", "d * n + i");
  EXPECT_DOUBLE_EQ(demand.wavefronts, 16 * 32);
  EXPECT_DOUBLE_EQ(demand.sectors, 16 * 4);
  EXPECT_DOUBLE_EQ(demand.dramSectors, 16 * 4);
}

// 48 warps go over 4 MB: L1 has no room for it, nor L2 for that of all SMs.
TEST_F(OuterReuseOf, MemoryThatNoCacheHoldsIsLoadedEachTime) {
  const Demand demand = feature("640", "d * n + i");
  EXPECT_DOUBLE_EQ(demand.sectors, 640 * 32 * 4);
  EXPECT_DOUBLE_EQ(demand.dramSectors, 640 * 32 * 4);
}

TEST_F(OuterReuseOf, NobodyKnowsWhatALoopOfUnknownLengthGoesOver) {
  const Demand demand = feature("many", "d * n + i");
  EXPECT_DOUBLE_EQ(demand.sectors, demand.wavefronts * 4);
}

TEST_F(OuterReuseOf, EachIterationMayHaveMemoryOfItsOwn) {
  EXPECT_DOUBLE_EQ(feature("16", "(c * 16 + d) * n + i").sectors, 16 * 32 * 4);
}

// L1 gives up what a store writes; L2 has it.
TEST_F(OuterReuseOf, WhatTheLoopStoresIsLoadedFromL2) {
  const Demand demand =
      feature("4", "d * n + i", "    feature[c * n + i] = distance;\n");
  EXPECT_DOUBLE_EQ(demand.sectors, 4 * 32 * 4);
  EXPECT_DOUBLE_EQ(demand.dramSectors, 4 * 4);
}

// A window that moves on by an element has most of its sectors.
TEST_F(OuterReuseOf, ALoopThatMovesOnByAnElementFindsItsSectors) {
  const Demand demand = feature("16", "d * n + i + c");
  EXPECT_NEAR(demand.sectors, 16 * 32 * 4.5 / 8, 30);
  EXPECT_NEAR(demand.dramSectors, 16 * 32 * 4.5 / 16, 30);
}

// What is stored to one element again and again takes no more of a cache.
TEST_F(OuterReuseOf, AnElementThatIsStoredAgainTakesNoMoreRoom) {
  const Demand demand =
      feature("16", "d * n + i",
              "    for (int r = 0; r < 4096; ++r) nearest[i] = r;\n");
  EXPECT_DOUBLE_EQ(demand.dramSectors, 16 * 4);
}
