#include "cost/block_shifts.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

TEST(BlockShifts, BlocksOfHalfASectorAlternate) {
  const BlockShifts shifts = shifted({}, 16, 8, 0);
  EXPECT_DOUBLE_EQ(shifts.share[0], 0.5);
  EXPECT_DOUBLE_EQ(shifts.share[16], 0.5);
  EXPECT_TRUE(shifts.isWholeGrid);
  // Of three blocks two stand where the first does.
  EXPECT_DOUBLE_EQ(shifted({}, 16, 3, 0).share[16], 1.0 / 3);
}

TEST(BlockShifts, ShiftsAreSeenFromTheEvaluatedBlock) {
  const BlockShifts shifts = shifted({}, 8, 2, 1);
  EXPECT_DOUBLE_EQ(shifts.share[0], 0.5);
  EXPECT_DOUBLE_EQ(shifts.share[24], 0.5) << "the block before it";
}

TEST(BlockShifts, AGridOfUnknownSizeIsNoWholeGrid) {
  const BlockShifts shifts = shifted({}, 4, std::nullopt, 0);
  EXPECT_FALSE(shifts.isWholeGrid);
  EXPECT_DOUBLE_EQ(shifts.share[28], 1.0 / 8);
  EXPECT_FALSE(shifted({}, 32, std::nullopt, 0).any());
}

TEST(BlockShifts, DimensionsAddUp) {
  const BlockShifts shifts = shifted(shifted({}, 16, 2, 0), 8, 2, 0);
  for (unsigned bytes : {0, 8, 16, 24})
    EXPECT_DOUBLE_EQ(shifts.share[bytes], 0.25) << bytes;
}

} // namespace
