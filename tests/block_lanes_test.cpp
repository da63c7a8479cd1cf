// Which threads of a block a condition lets through, whatever the sizes are, of
// kernels by hand.
#include "cost/block_lanes.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct BlockLanesOf : testing::Test {
  ModelBuilder b;

  Threads may(ValueId condition, Shape shape = {96, 1, 1}) {
    KernelShape launched;
    launched.shape = shape;
    return BlockLanes(b.kernel, launched)
        .may(condition, Iterations(b.kernel.loops.size(), 0));
  }
};

} // namespace

TEST_F(BlockLanesOf, OneThreadIsTheOnlyOneOfItsBlock) {
  const Threads first = may(b.is(Op::Equal, b.thread(), b.number(0)));
  EXPECT_EQ(first, (Threads{1, 0, 0}));
  EXPECT_EQ(count(first), 1u);
  EXPECT_EQ(mostInOneWarp(first), 1u);
}

TEST_F(BlockLanesOf, OneLaneOfEachWarpIsNotOneThread) {
  const ValueId lane = b.make(Op::RemainderUnsigned, b.thread(), b.number(32));
  const Threads first = may(b.is(Op::Equal, lane, b.number(0)));
  EXPECT_EQ(first, (Threads{1, 1, 1}));
  EXPECT_EQ(count(first), 3u);
  EXPECT_EQ(mostInOneWarp(first), 1u);
}

// The block of a probe size would look as if it stood idle.
TEST_F(BlockLanesOf, SizesThatNobodyWroteRuleOutNoThread) {
  EXPECT_EQ(count(may(b.is(Op::LessSigned, b.thread(), b.argument("n")))), 96u);
  EXPECT_EQ(count(may(b.is(Op::LessSigned, b.argument("n"), b.thread()))), 96u);
}

TEST_F(BlockLanesOf, DataRuleOutNoThread) {
  EXPECT_EQ(count(may(b.is(Op::LessSigned, b.varying(), b.number(3)))), 96u);
}

// A thread that is ruled out stays so, whatever the other term is.
TEST_F(BlockLanesOf, AKnownTermDecidesBesideAnUnknownOne) {
  EXPECT_EQ(count(may(b.graph.both(
                b.is(Op::Equal, b.thread(), b.number(5)),
                b.is(Op::LessSigned, b.number(0), b.argument("n"))))),
            1u);
}

TEST_F(BlockLanesOf, LanesThatDoNotExistTakeNoPart) {
  EXPECT_EQ(count(may(b.graph.always(), {40, 1, 1})), 40u);
}

// Beside an unknown term, a thread may pass and need not.
TEST_F(BlockLanesOf, ThreadsThatMustPassDoSoWhateverIsUnknown) {
  KernelShape launched;
  launched.shape = {96, 1, 1};
  const Iterations first;
  const ValueId some = b.is(Op::LessSigned, b.thread(), b.number(40));
  BlockLanes lanes(b.kernel, launched);
  EXPECT_EQ(count(lanes.must(some, first)), 40u);
  EXPECT_EQ(count(lanes.must(b.graph.both(some, b.flag("f")), first)), 0u);
}

TEST_F(BlockLanesOf, ABlockHasItsPlaceInTheGrid) {
  KernelShape launched;
  launched.shape = {96, 1, 1};
  const ValueId second =
      b.is(Op::Equal, b.graph.special(Op::BlockIndex, 0, 64), b.number(1));
  auto must = [&](std::optional<BlockPlace> place) {
    BlockLanes lanes(b.kernel, launched, place);
    return count(lanes.must(second, Iterations()));
  };
  EXPECT_EQ(must(BlockPlace{1, 0, 0}), 96u);
  EXPECT_EQ(must(BlockPlace{2, 0, 0}), 0u);
  EXPECT_EQ(must(std::nullopt), 0u);
}
