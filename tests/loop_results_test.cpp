#include "cost/loop_results.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class LoopResultsTest : public testing::Test, protected WarpBuilder {};

TEST_F(LoopResultsTest, FinalIsTheValueAfterEachLanesLastIteration) {
  // for (k = 0; k < tid + 1; ++k), where each lane leaves in an iteration of
  // its own
  auto [loop, k] = countedLoop(number(0), add(thread(), number(1)), number(1));
  LaneValues last = lanes(final(k, loop));
  for (unsigned lane = 0; lane < warpSize; ++lane)
    EXPECT_EQ(last.value[lane], lane);
}

// A loop that goes on for longer than it is followed: what it leaves is made up
// and must differ by trial, or it would pass for known.
TEST_F(LoopResultsTest, ResultsOfLongLoopsAreProbeValues) {
  auto [loop, k] = countedLoop(0, 1000);
  ValueId last = final(k, loop);
  EXPECT_TRUE(lanes(last).assumed);
  EXPECT_NE(lanes(last).value, lanes(last, {32, 1, 1}, 0, {}, 1).value);
}

// Lanes that have left cannot share what the others will have.
TEST_F(LoopResultsTest, ALoopWithInactiveLanesIsNotUniform) {
  LoopId id = 0;
  ValueId k = graph.carried(id, 64, false);
  graph.setCarried(k, number(0), add(k, number(1)));
  ValueId first = is(Op::Equal, k, number(0));
  ValueId low = is(Op::LessUnsigned, thread(), number(8));
  Loop loop;
  loop.enters = graph.always();
  // Half a warp leaves after the first iteration, the rest when it pleases the
  // flag.
  loop.continues = graph.make(Op::Select, 1, {first, low, flag("f")});
  kernel.loops.push_back(loop);
  LaneValues last = lanes(final(k, id));
  EXPECT_FALSE(last.isUniform());
  EXPECT_EQ(last.unknown, 0xffu);
}

TEST_F(LoopResultsTest, EverHoldsIfItHeldInSomeIteration) {
  auto [loop, k] = countedLoop(0, 16);
  ValueId hit = ever(is(Op::Equal, k, thread()), loop);
  EXPECT_EQ(may(hit), 0xffffu);
  EXPECT_EQ(lanes(hit).unknown, 0u);
  // A condition unknown in some iteration may have held.
  EXPECT_EQ(may(ever(is(Op::Equal, varying(), k), loop)), ~0u);
  // A loop longer than is followed: may, not never.
  auto [longer, j] = countedLoop(0, 1000);
  EXPECT_EQ(may(ever(is(Op::Equal, j, number(900)), longer)), ~0u);
}

// `while (low < high) a[low] < x ? ... `: probe values that end a search before
// it begins say nothing of the place that it finds, or all threads of a warp
// would be told to update one.
TEST_F(LoopResultsTest, WhatDataDecideIsUnknownWhereProbeValuesEndTheLoop) {
  const LoopId id = 0;
  const ValueId low = graph.carried(id, 64, false);
  graph.setCarried(
      low, number(0),
      graph.make(Op::Select, 64,
                 {is(Op::Equal, varying(), low), add(low, number(1)), low}));
  Loop loop;
  loop.enters = graph.always();
  loop.continues = is(Op::LessUnsigned, add(low, argument("n")), number(3));
  kernel.loops.push_back(loop);
  EXPECT_EQ(lanes(final(low, id)).unknown, allLanes);
  // Constants do.
  kernel.loops[id].continues = is(Op::LessUnsigned, number(4), number(3));
  EXPECT_EQ(lanes(final(low, id)).unknown, 0u);
}

// `while (!*done) ++k;`: nobody knows the last iteration, and all lanes share
// it.
TEST(LoopResults, ALoopThatEndsForAllLanesAtOnceLeavesAUniformValue) {
  const LaneValues unknown = LaneValues::uniformUnknown(3);
  auto continues = [&](const Iterations &) -> const LaneValues & {
    return unknown;
  };
  auto counter = [](const Iterations &at) { return LaneValues::splat(at[0]); };
  const LaneValues last = lastValues(0, {}, continues, counter, 0, 8);
  EXPECT_TRUE(last.isUniform());
  EXPECT_EQ(last.why, 8u);
  EXPECT_EQ(everHeld(0, {}, continues, continues, 8).unknown, allLanes);
}

} // namespace
