// Tests what a request to a local array touches.
#include "cost/local_arrays.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

constexpr uint32_t all = ~uint32_t(0);

LaneValues stepping(uint64_t bytes) {
  LaneValues address;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    address.value[lane] = 4096 + lane * bytes;
  return address;
}

} // namespace

TEST(LocalArrays, OneIndexForAllLanesIsOneLine) {
  const LocalRequest request = localRequest(stepping(0), all, 4, 64);
  EXPECT_EQ(request.lines, 1);
  EXPECT_EQ(request.sectors, 4);
  EXPECT_EQ(localRequest(stepping(0), all, 16, 64).lines, 4);
}

TEST(LocalArrays, IndexesOfTheirOwnAreALineEach) {
  EXPECT_EQ(localRequest(stepping(4), all, 4, 128).lines, 32);
  EXPECT_EQ(localRequest(stepping(4), all, 4, 128).sectors, 32);
  EXPECT_EQ(localRequest(stepping(4), 0xff, 4, 128).lines, 8);
  // Four bytes of an array of characters share a word.
  EXPECT_EQ(localRequest(stepping(1), all, 1, 32).lines, 8);
}

TEST(LocalArrays, UnknownIndexesAreSpreadOverTheArray) {
  LaneValues unknown;
  unknown.unknown = all;
  EXPECT_NEAR(localRequest(unknown, all, 4, 32).lines, 7.9, 0.1);
  EXPECT_EQ(localRequest(unknown, all, 4, 4).lines, 1);
  EXPECT_LE(localRequest(unknown, all, 4, 4096).lines, 32);
  unknown.uniform = true;
  EXPECT_EQ(localRequest(unknown, all, 4, 32).lines, 1);
}
