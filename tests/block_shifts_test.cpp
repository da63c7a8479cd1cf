#include "cost/block_shifts.h"
#include "model_builder.h"
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

// A row of unknown pitch in each block moves all lanes alike; a stride of the
// block does not.
TEST(BlockShifts, LanesThatMoveAlikeHaveAShift) {
  LaneValues here, next, wider;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    here.value[lane] = 4096 + 4 * lane;
    next.value[lane] = here.value[lane] + 1000;
    wider.value[lane] = 4096 + 8 * lane;
  }
  EXPECT_EQ(shiftBetween(here, next, allLanes), 1000u % sectorBytes);
  EXPECT_TRUE(haveSameShape(here, next, allLanes));
  EXPECT_EQ(shiftBetween(here, wider, allLanes), std::nullopt);
  EXPECT_FALSE(haveSameShape(here, wider, allLanes));
  EXPECT_TRUE(haveSameShape(here, wider, 1)) << "the others do not exist";
}

TEST(BlockShifts, ANodeDependsOnTheBlocksOfItsOperands) {
  ModelBuilder builder;
  const ValueId x = builder.graph.special(Op::BlockIndex, 0, 64),
                z = builder.graph.special(Op::BlockIndex, 2, 64),
                sum = builder.add(builder.add(x, builder.thread()), z);
  const auto dimensions = blockDimensions(builder.graph);
  EXPECT_EQ(dimensions[sum], 0b101);
  EXPECT_EQ(dimensions[builder.thread()], 0);
}

} // namespace
