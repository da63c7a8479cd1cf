#include "cost/sampled_blocks.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace warplint;

namespace {

double blocksOf(const std::vector<SampledBlock> &sample) {
  double blocks = 0;
  for (const SampledBlock &block : sample)
    blocks += block.weight;
  return blocks;
}

bool has(const std::vector<SampledBlock> &sample, const BlockPlace &place) {
  return std::any_of(sample.begin(), sample.end(), [&](const auto &block) {
    return block.place == place;
  });
}

TEST(SampledBlocks, ASmallGridIsWhole) {
  const auto sample = sampledBlocks({5, 7, 9}, 0b011, {2, 4, 6});
  EXPECT_EQ(sample.size(), 35u);
  EXPECT_EQ(blocksOf(sample), 35);
  EXPECT_TRUE(has(sample, {4, 6, 6}));
}

// The figure of a launch is that of all its blocks, and its bounds those of the
// first and the last.
TEST(SampledBlocks, ALargeGridIsSampledEverywhere) {
  const auto sample = sampledBlocks({65536, 512, 1}, 0b001, {2, 4, 0});
  EXPECT_NEAR(blocksOf(sample), 65536, 1e-6);
  EXPECT_TRUE(has(sample, {0, 4, 0}));
  EXPECT_TRUE(has(sample, {65535, 4, 0}));
  for (const SampledBlock &block : sample)
    EXPECT_LT(block.place[0], 65536u);
  // An early end leaves a sample of the whole grid.
  EXPECT_GT(sample[7].place[0], 50000u);
}

} // namespace
