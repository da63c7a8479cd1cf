// How the lanes of a warp part at a branch, of kernels by hand.
#include "cost/divergence.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Branches : testing::Test {
  ModelBuilder b;

  Branch branch(ValueId condition, double yes = 100, double no = 100) {
    Branch result;
    result.guard = b.graph.always();
    result.sides = {{condition, yes, true},
                    {b.graph.negated(condition), no, true}};
    return result;
  }
  Divergence at(const Branch &branch) {
    return divergence(b.kernel, {256, 1, 1}, branch);
  }
  ValueId remainder(ValueId value, uint64_t by) {
    return b.make(Op::RemainderUnsigned, value, b.number(by));
  }
};

TEST_F(Branches, ConditionsOnOddLanesExecuteBothSides) {
  Divergence seen =
      at(branch(b.is(Op::Equal, remainder(b.thread(), 2), b.number(1))));
  ASSERT_TRUE(seen.known);
  EXPECT_EQ(seen.split, 1);
  EXPECT_EQ(seen.alternating, 1);
  EXPECT_EQ(seen.share, (std::vector<double>{16, 16}));
  EXPECT_DOUBLE_EQ(seen.waste, 0.5);
  EXPECT_EQ(seen.example[0], 0xaaaaaaaau);
}

TEST_F(Branches, ConditionsOnWholeWarpsCostNothing) {
  ValueId warp = b.make(Op::DivideUnsigned, b.thread(), b.number(32));
  Divergence seen =
      at(branch(b.is(Op::Equal, remainder(warp, 2), b.number(1))));
  ASSERT_TRUE(seen.known);
  EXPECT_EQ(seen.split, 0);
  EXPECT_EQ(seen.waste, 0);
}

// One warp of eight, and a piece of it is left whole.
TEST_F(Branches, ConditionsOnTheFirstThreadsDivergeInOneWarp) {
  Divergence seen = at(branch(b.is(Op::LessSigned, b.thread(), b.number(8))));
  EXPECT_DOUBLE_EQ(seen.split, 1.0 / 8);
  EXPECT_EQ(seen.alternating, 0);
}

TEST_F(Branches, BoundsChecksDoNotDivergeBeforeTheEndOfTheData) {
  Divergence seen =
      at(branch(b.is(Op::LessSigned, b.thread(), b.argument("n")), 100, 0));
  ASSERT_TRUE(seen.known);
  EXPECT_EQ(seen.split, 0);
}

// No probe colour is 0 or 1, but the argument is.
TEST_F(Branches, ConditionsOnARemainderByAnArgumentDiverge) {
  Divergence seen = at(branch(
      b.is(Op::Equal, remainder(b.thread(), 2), b.argument("colour")), 100, 0));
  ASSERT_TRUE(seen.known);
  EXPECT_EQ(seen.alternating, 1);
  EXPECT_EQ(seen.share[0], 16);
}

TEST_F(Branches, ConditionsOnOneThreadChosenByAnArgumentDoNotDiverge) {
  Divergence seen =
      at(branch(b.is(Op::Equal, b.thread(), b.argument("chosen")), 100, 0));
  EXPECT_EQ(seen.split, 0);
}

TEST_F(Branches, ConditionsOnDataHaveNoFigure) {
  EXPECT_FALSE(
      at(branch(b.is(Op::LessSigned, b.varying(), b.number(3)))).known);
}

// A reduction with growing distances: other lanes in each iteration.
TEST_F(Branches, ConditionsOnALoopCounterChangeByIteration) {
  LoopId loop = b.kernel.loops.size();
  ValueId distance = b.graph.carried(loop, 64, false);
  ValueId next = b.times(distance, 2);
  b.graph.setCarried(distance, b.number(1), next);
  Loop counted;
  counted.enters = b.graph.always();
  counted.continues = b.is(Op::LessSigned, next, b.number(256));
  b.kernel.loops.push_back(counted);
  Branch reduction =
      branch(b.is(Op::Equal, b.make(Op::RemainderUnsigned, b.thread(), next),
                  b.number(0)),
             7, 0);
  reduction.loops = {loop};
  Divergence seen = at(reduction);
  ASSERT_TRUE(seen.known);
  EXPECT_TRUE(seen.changesWithLoop);
  EXPECT_DOUBLE_EQ(seen.alternating, 2.0 / 8); // every second, every fourth
}

} // namespace
