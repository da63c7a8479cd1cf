#include "cost/block_average.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

RequestSums sectors(double each) {
  RequestSums sums;
  sums.requests = 1;
  sums.sectors = sums.fewest = sums.most = each;
  return sums;
}

// A stride that grows with the block: a cheap run and a costly one.
TEST(BlockAverage, RunsThatDifferHaveNoAverageOfEach) {
  BlockAverage average(Space::Global);
  EXPECT_TRUE(average.isEmpty());
  average.add({{0, 0, 0}, 100, 0}, sectors(4));
  average.add({{50, 0, 0}, 100, 1}, sectors(16));
  average.add({{99, 0, 0}, 200, 2}, sectors(32));
  EXPECT_FALSE(average.isThatOfEachRun());
  EXPECT_DOUBLE_EQ(average.sums(false).value(Space::Global), 21);
  EXPECT_EQ(average.range(), (std::pair<double, double>{4, 32}));
  EXPECT_EQ(average.nearest(), (BlockPlace{50, 0, 0}));
}

// Blocks that alternate: each run has both.
TEST(BlockAverage, RunsOfBlocksThatAlternateAgree) {
  BlockAverage average(Space::Global);
  for (unsigned run : {0u, 1u}) {
    average.add({{run * 50, 0, 0}, 100, run}, sectors(4));
    average.add({{run * 50 + 1, 0, 0}, 100, run}, sectors(8));
  }
  EXPECT_TRUE(average.isThatOfEachRun());
  EXPECT_EQ(average.sums(true).value(Space::Global), 6);
  EXPECT_EQ(average.sums(true).requests, 2) << "a run, without weights";
}

} // namespace
