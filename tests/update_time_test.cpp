// Tests how long L2 takes for atomics, against times of an H200.
#include "cost/update_time.h"
#include "cost/request.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

constexpr double ofIntegers = 0.737, ofFloats = 1.756;

// A histogram of 256 bins took 4.3 ms where 0.3 ms were predicted: bins were
// taken to be updated side by side, and lie in two slices of L2.
TEST(UpdateTime, BinsThatDataChooseWaitForEachOther) {
  struct Row {
    double bins, integers, floats; ///< nanoseconds of a request
  };
  const Row rows[] = {{1, 23.4, 56.2},     {2, 13.4, 32.0},
                      {4, 8.07, 19.3},     {8, 5.16, 12.4},
                      {16, 5.94, 8.26},    {32, 7.22, 7.31},
                      {64, 9.33, 9.36},    {256, 8.30, 8.28},
                      {512, 4.93, 4.94},   {1024, 2.74, 2.75},
                      {2048, 1.67, 1.68},  {4096, 0.949, 0.945}};
  for (const Row &row : rows) {
    const Updates updates = updatesAtRandom(warpSize, row.bins, 4);
    EXPECT_NEAR(nanosecondsOf(updates, ofIntegers) / row.integers, 1, 0.35)
        << row.bins;
    EXPECT_NEAR(nanosecondsOf(updates, ofFloats) / row.floats, 1, 0.35)
        << row.bins;
  }
}

// Each lane of a warp updates its neighbour's neighbour: four sectors.
TEST(UpdateTime, NeighbouringWordsAreUpdatedTogether) {
  const std::pair<double, double> rows[] = {
      {32, 2.38}, {64, 2.38}, {256, 1.22}, {512, 0.63}, {1024, 0.37}};
  for (const auto &[words, nanoseconds] : rows)
    EXPECT_NEAR(nanosecondsOf({words * 4, 4, 1}, ofIntegers) / nanoseconds, 1,
                0.3)
        << words;
}

// Each warp updates one word in all of its lanes, and each a word of its own.
TEST(UpdateTime, OneWordOfEachWarpIsUpdatedInAllLanes) {
  const std::pair<double, double> rows[] = {
      {1, 23.4}, {64, 22.2}, {256, 11.8}, {1024, 2.97}, {4096, 1.08}};
  for (const auto &[words, nanoseconds] : rows)
    EXPECT_NEAR(nanosecondsOf({words * 4, 1, warpSize}, ofIntegers) /
                    nanoseconds,
                1, 0.35)
        << words;
  EXPECT_NEAR(nanosecondsOf({4, 1, warpSize}, ofFloats), 56.2, 0.1);
}

TEST(UpdateTime, LanesThatChooseAWordMeetAtTheMostUsedOne) {
  EXPECT_EQ(mostLanesTogether(32, 1), 32);
  EXPECT_NEAR(mostLanesTogether(32, 4), 12.7, 0.1);
  EXPECT_EQ(mostLanesTogether(32, 1 << 20), 1);
}

} // namespace
