#include "cost/request_sums.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

LaneAddresses strided(uint64_t first, uint64_t bytes) {
  LaneAddresses addresses;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    addresses[lane] = first + lane * bytes;
  return addresses;
}

// The second iteration of a loop is counted anew where it begins elsewhere in a
// sector, and is the first one's where it does not.
TEST(RequestSums, ARequestThatMovesInsideASectorIsCountedAnew) {
  RequestCounter counter;
  auto sectors = [&](uint64_t first) {
    return counter
        .count(strided(first, 4), allLanes, Space::Global, 4, 0, BlockShifts())
        .sectors;
  };
  EXPECT_EQ(sectors(4096), 4);
  EXPECT_EQ(sectors(4096 + 128), 4);
  EXPECT_EQ(sectors(4096 + 132), 5);
  EXPECT_EQ(sectors(4096 + 256), 4);
}

// 'p[i]' over a row lies at eight places in a sector, one after the other: to
// count its sectors in each iteration took a sixth of the time of a source.
TEST(RequestSums, APlaceInASectorIsCountedOnce) {
  RequestCounter counter;
  BlockShifts half = shifted(BlockShifts(), 16, 8, 0);
  auto sectors = [&](uint64_t first, const BlockShifts &shifts) {
    return counter
        .count(strided(first, 68), allLanes, Space::Global, 4, 0, shifts)
        .sectors;
  };
  for (unsigned i = 0; i < 256; ++i)
    sectors(4096 + 4 * i, BlockShifts());
  EXPECT_EQ(counter.counted(), 8u);
  // Another launch may place its blocks in another way.
  EXPECT_EQ(sectors(4096 + 4, half), RequestCounter()
                                         .count(strided(4096 + 4, 68), allLanes,
                                                Space::Global, 4, 0, half)
                                         .sectors);
  EXPECT_EQ(counter.counted(), 9u);
}

// One lane that leaves makes another request of it.
TEST(RequestSums, FewerLanesAreAnotherRequest) {
  RequestCounter counter;
  const LaneAddresses rows = strided(4096, 256);
  EXPECT_EQ(counter.count(rows, allLanes, Space::Global, 4, 0, {}).sectors, 32);
  EXPECT_EQ(counter.count(rows, 0xff, Space::Global, 4, 0, {}).sectors, 8);
  EXPECT_EQ(counter.count(rows, 0xff, Space::Global, 4, 0, {}).ideal, 1u);
}

// Where every other block begins at half a sector, a row takes 4.5 sectors.
TEST(RequestSums, BlocksAtOtherOffsetsAreAveraged) {
  RequestCounter counter;
  const RequestFigures &row =
      counter.count(strided(4096, 4), allLanes, Space::Global, 4, 0,
                    shifted(BlockShifts(), 16, 8, 0));
  EXPECT_DOUBLE_EQ(row.sectors, 4.5);
  EXPECT_EQ(row.fewest, 4);
  EXPECT_EQ(row.most, 5);
}

TEST(RequestSums, TheFigureIsThatOfTheSpace) {
  RequestSums sums;
  sums.requests = 2;
  sums.sectors = 8;
  sums.ways = 64;
  sums.wavefronts = 6;
  EXPECT_EQ(sums.value(Space::Global), 4);
  EXPECT_EQ(sums.value(Space::Shared), 32);
  EXPECT_EQ(sums.value(Space::Constant), 3);
  sums.range = {1, 40};
  EXPECT_EQ(sums.high(Space::Shared), 40) << "of the sampled blocks";
}

} // namespace
