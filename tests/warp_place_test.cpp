#include "cost/warp_place.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class WarpPlaceTest : public testing::Test, protected WarpBuilder {};

// Threads are numbered x first, then y, then z.
TEST_F(WarpPlaceTest, ThreadsAreNumberedXThenYThenZ) {
  LaneValues x = lanes(thread(0), {8, 2, 4}), y = lanes(thread(1), {8, 2, 4}),
             z = lanes(thread(2), {8, 2, 4});
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    EXPECT_EQ(x.value[lane], lane % 8);
    EXPECT_EQ(y.value[lane], lane / 8 % 2);
    EXPECT_EQ(z.value[lane], lane / 16);
  }
  EXPECT_EQ(lanes(thread(2), {8, 2, 4}, 1).value[0], 2u);
  EXPECT_EQ(lanes(thread(0), {256, 1, 1}, 3).value[5], 101u);
}

TEST_F(WarpPlaceTest, TheLastWarpMayBePartial) {
  Evaluation evaluation(kernel);
  EXPECT_EQ(Warp(evaluation, {40, 1, 1}, 0, 0, 0).lanes(), ~0u);
  EXPECT_EQ(Warp(evaluation, {40, 1, 1}, 1, 0, 0).lanes(), 0xffu);
  EXPECT_EQ(Warp(evaluation, {40, 1, 1}, 2, 0, 0).lanes(), 0u);
  EXPECT_EQ(may(graph.always(), {40, 1, 1}, 1), 0xffu);
}

// A launch for an empty tensor: 'k<<<(0 + 255) / 256, 256>>>'.
TEST_F(WarpPlaceTest, AnEmptyGridDoesNotCrash) {
  ValueId block = graph.special(Op::BlockIndex, 0, 64);
  std::vector<Launched> launches(1);
  for (auto grid : {std::array<std::optional<uint64_t>, 3>{0, 1, 1},
                    std::array<std::optional<uint64_t>, 3>{1, 0, 1},
                    std::array<std::optional<uint64_t>, 3>{1, 1, 0}}) {
    launches[0].grid = grid;
    Evaluation evaluation(kernel, launches);
    EXPECT_TRUE(
        Warp(evaluation, {256, 1, 1}, 0, 0, 0).evaluate(block, {}).isUniform());
  }
}

// A block that stands for all others is no border: neither the first nor, of a
// known grid, one behind the last.
TEST(WarpPlace, ABlockThatStandsForOthersLiesInsideTheGrid) {
  Launched launch;
  launch.grid = {4, 100, 1};
  const PlaceInGrid any = placeInGrid(0, 0, nullptr),
                    inside = placeInGrid(0, 1, &launch);
  EXPECT_FALSE(any.isKnown);
  EXPECT_EQ(any.block, (BlockPlace{2, 4, 6}));
  EXPECT_FALSE(inside.isKnown);
  EXPECT_EQ(inside.block, (BlockPlace{2, 6, 0}));
}

TEST(WarpPlace, EachOfFewBlocksHasItsOwnPlace) {
  Launched launch;
  launch.grid = {2, 2, 1};
  const PlaceInGrid last = placeInGrid(3, 0, &launch);
  EXPECT_TRUE(last.isKnown);
  EXPECT_EQ(last.block, (BlockPlace{1, 1, 0}));
}

} // namespace
