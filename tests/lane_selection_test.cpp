#include "cost/lane_selection.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class LaneSelectionTest : public testing::Test, protected WarpBuilder {};

TEST_F(LaneSelectionTest, SelectFollowsEachLaneAndNamesUnknowns) {
  ValueId low = is(Op::LessUnsigned, thread(), number(4));
  ValueId value = graph.make(Op::Select, 64, {low, thread(), varying()});
  EXPECT_EQ(lanes(value).unknown, ~0xfu);
  EXPECT_EQ(lanes(value).value[3], 3u);
  // Both sides alike: the condition does not matter.
  ValueId same =
      graph.make(Op::Select, 64,
                 {is(Op::Equal, varying(), number(0)), number(7), number(7)});
  EXPECT_EQ(lanes(same).unknown, 0u);
  // Known to be false, whatever the flag is: `blockIdx.x == 99 && flag`.
  ValueId never =
      is(Op::Equal, graph.special(Op::BlockIndex, 0, 64), number(99));
  ValueId guard = graph.make(Op::Select, 1, {never, flag("f"), graph.never()});
  EXPECT_EQ(may(guard), 0u);
}

TEST_F(LaneSelectionTest, JoinTakesThePathWhoseConditionHolds) {
  ValueId low = is(Op::LessUnsigned, thread(), number(8));
  ValueId value =
      graph.make(Op::Join, 64, {low, number(1), graph.negated(low), number(2)});
  EXPECT_EQ(lanes(value).value[7], 1u);
  EXPECT_EQ(lanes(value).value[8], 2u);
  ValueId lost = is(Op::Equal, varying(), number(0));
  ValueId either = graph.make(
      Op::Join, 64, {lost, number(1), graph.negated(lost), number(2)});
  EXPECT_EQ(lanes(either).unknown, ~0u);
  EXPECT_EQ(lanes(either).why, either);
  // A choice that all lanes share: one way in one trial, the other in the next.
  ValueId f = flag("f");
  ValueId shared =
      graph.make(Op::Join, 64, {f, number(1), graph.negated(f), number(2)});
  EXPECT_EQ(lanes(shared).value[0], 1u);
  EXPECT_EQ(lanes(shared, {32, 1, 1}, 0, {}, 1).value[0], 2u);
  EXPECT_TRUE(lanes(shared).assumed);
}

TEST_F(LaneSelectionTest, ShufflesBroadcastAndRotate) {
  EXPECT_EQ(lanes(graph.make(Op::FromLane, 64, {thread(), number(5)})).value[9],
            5u);
  LaneValues rotated =
      lanes(graph.make(Op::FromLane, 64, {thread(), add(thread(), number(1))}));
  EXPECT_EQ(rotated.value[0], 1u);
  EXPECT_EQ(rotated.value[31], 0u);
  EXPECT_TRUE(
      lanes(graph.make(Op::FromLane, 64, {varying(), number(0)})).isUniform());
  EXPECT_EQ(lanes(graph.make(Op::FromLane, 64, {varying(), thread()})).unknown,
            ~0u);
}

// A compaction writes to out[popc(ballot & lanes below)]: with a probe number
// for a ballot that is not known, that would be called coalesced.
TEST_F(LaneSelectionTest, ABallotHasABitForEachLane) {
  ValueId low = is(Op::LessSigned, thread(), number(5));
  EXPECT_EQ(lanes(graph.make(Op::Ballot, 32, {low})).value[7], 0x1fu);
  ValueId unknown = is(Op::LessSigned, varying(), number(5));
  ValueId ballot = graph.make(Op::Ballot, 32, {unknown});
  EXPECT_TRUE(lanes(ballot).isUniform());
  ValueId wide = graph.make(Op::Resize, 64, {ballot});
  ValueId below = graph.make(Op::And, 64, {wide, thread()});
  EXPECT_EQ(lanes(graph.make(Op::CountOnes, 64, {below})).unknown, ~0u);
}

// The last warp of a block has lanes that do not vote.
TEST(LaneSelection, LanesThatDoNotExistHaveNoVote) {
  LaneValues condition = LaneValues::splat(1);
  condition.unknown = 0xf0;
  EXPECT_EQ(ballotOf(condition, 0xf).value[0], 0xfu);
  EXPECT_TRUE(ballotOf(condition, 0xff).votes);
}

} // namespace
