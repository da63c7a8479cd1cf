// Tests what decides on the iterations of a loop, of kernels by hand.
#include "cost/loop_bound.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct LoopBound : testing::Test {
  ModelBuilder b;
  LoopId to(ValueId bound) {
    return b.countedLoop(b.number(0), bound, b.number(1)).loop;
  }
};

} // namespace

TEST_F(LoopBound, ConstantsLimitALoop) {
  EXPECT_TRUE(isLimitedByConstants(b.kernel, to(b.number(8))));
  EXPECT_FALSE(isLimitedByConstants(b.kernel, to(b.argument("n"))));
  EXPECT_FALSE(isLimitedByConstants(b.kernel,
                                    to(b.graph.special(Op::BlockSize, 0, 64))));
  EXPECT_FALSE(isLimitedByConstants(b.kernel, to(b.thread())));
}

TEST_F(LoopBound, AMinimumWithAConstantLimitsALoop) {
  EXPECT_TRUE(isLimitedByConstants(
      b.kernel, to(b.make(Op::MinSigned, b.argument("n"), b.number(8)))));
  EXPECT_FALSE(isLimitedByConstants(
      b.kernel, to(b.make(Op::MinSigned, b.argument("n"), b.argument("m")))));
}

// 'break' ends it earlier; it never has more than eight iterations.
TEST_F(LoopBound, DataMayEndALoopThatConstantsLimit) {
  const LoopId loop = to(b.number(8));
  b.kernel.loops[loop].tripCount.reset();
  b.kernel.loops[loop].continues =
      b.graph.both(b.is(Op::LessSigned, b.varying(), b.number(0)),
                   b.kernel.loops[loop].continues);
  EXPECT_TRUE(isLimitedByConstants(b.kernel, loop));
}

// `i >= 8 || column >= n` leaves it: C++ evaluates the second if the first is
// false, and the compiler makes a selection of that.
TEST_F(LoopBound, AConstantLimitsALoopBesideAnotherEnd) {
  const auto counted = b.countedLoop(b.number(0), b.number(8), b.number(1));
  Loop &loop = b.kernel.loops[counted.loop];
  loop.tripCount.reset();
  auto leaves = [&](ValueId end) {
    return b.graph.make(Op::Select, 1,
                        {b.is(Op::LessEqualSigned, end, counted.counter),
                         b.graph.always(),
                         b.is(Op::LessEqualSigned, b.argument("n"), b.thread())});
  };
  loop.continues = b.graph.negated(leaves(b.number(8)));
  EXPECT_TRUE(isLimitedByConstants(b.kernel, counted.loop));
  loop.continues = b.graph.negated(leaves(b.argument("m")));
  EXPECT_FALSE(isLimitedByConstants(b.kernel, counted.loop));
}

// for i < 4, for k <= i: unrolled as a whole, if the outer one is.
TEST_F(LoopBound, TheCounterOfALoopAroundLimitsIfConstantsLimitIt) {
  const auto outer = b.countedLoop(b.number(0), b.number(4), b.number(1));
  EXPECT_TRUE(isLimitedByConstants(b.kernel, to(outer.counter)));
  const auto open = b.countedLoop(b.number(0), b.argument("n"), b.number(1));
  EXPECT_FALSE(isLimitedByConstants(b.kernel, to(open.counter)));
}

// for k < 6, for j = k + 1; j < 6: at most five.
TEST_F(LoopBound, TheMostIterationsFollowTheLoopsAround) {
  const auto outer = b.countedLoop(0, 6);
  const auto above = b.countedLoop(b.add(outer.counter, b.number(1)),
                                   b.number(6), b.number(1));
  b.kernel.loops[above.loop].parent = outer.loop;
  EXPECT_EQ(mostIterations(b.kernel, above.loop), 5u);
  const auto below =
      b.countedLoop(b.number(0), b.add(outer.counter, b.number(2)), b.number(2));
  b.kernel.loops[below.loop].parent = outer.loop;
  EXPECT_GE(mostIterations(b.kernel, below.loop), 4u); // 0, 2, 4, 6 below 7
  EXPECT_LE(mostIterations(b.kernel, below.loop), 5u);
  const auto beside =
      b.countedLoop(b.number(0), outer.counter, b.number(1));
  EXPECT_FALSE(mostIterations(b.kernel, beside.loop)) << "not inside";
  const auto range =
      rangeOfCounters(b.kernel, b.add(outer.counter, above.counter), above.loop);
  EXPECT_FALSE(range) << "its own counter is not around it";
}

// for (i = 3; i >= 1; --i) beside a 'return': at most three.
TEST_F(LoopBound, ACounterMayFall) {
  const auto counted = b.countedLoop(b.number(3), b.number(1), b.number(-1));
  Loop &loop = b.kernel.loops[counted.loop];
  loop.tripCount.reset();
  auto most = [&](ValueId goesOn) {
    loop.continues = b.graph.both(
        goesOn, b.is(Op::LessSigned, b.varying(), b.number(0)));
    return mostIterations(b.kernel, counted.loop).value_or(0);
  };
  const ValueId i = counted.counter;
  EXPECT_EQ(most(b.is(Op::LessSigned, b.number(1), i)), 3u);
  EXPECT_EQ(most(b.is(Op::LessUnsigned, b.number(1), i)), 3u);
  EXPECT_EQ(most(b.is(Op::LessEqualSigned, b.number(2), i)), 3u);
  EXPECT_EQ(most(b.graph.negated(b.is(Op::LessEqualSigned, i, b.number(1)))),
            3u);
  EXPECT_EQ(most(b.is(Op::LessSigned, b.argument("n"), i)), 0u);
  // It goes on below 0, where a number without a sign is large.
  EXPECT_EQ(most(b.is(Op::LessUnsigned, i, b.number(8))), 0u);
}

TEST_F(LoopBound, ArgumentsAreBoundsThatAConstantCanReplace) {
  EXPECT_TRUE(isBoundByArguments(b.kernel, to(b.argument("n"))));
  EXPECT_TRUE(isBoundByArguments(b.kernel,
                                 to(b.add(b.argument("radius"), b.number(1)))));
  const ValueId member =
      b.graph.loaded(b.object("p", Space::Parameter), "p.n", 64, false);
  EXPECT_TRUE(isBoundByArguments(b.kernel, to(member)));
  EXPECT_TRUE(
      isBoundByArguments(b.kernel, to(b.graph.special(Op::BlockSize, 0, 64))));
  const ValueId data = b.graph.loaded(b.object("rows"), "rows[0]", 64, false);
  EXPECT_FALSE(isBoundByArguments(b.kernel, to(data)));
  EXPECT_FALSE(isBoundByArguments(b.kernel, to(b.thread())));
  EXPECT_FALSE(isBoundByArguments(b.kernel, to(b.number(8))));
}

// for k = n; k > 0; --k and for k = i - r; k < i + r; ++k: one argument
// decides.
TEST_F(LoopBound, WhatDecidesTheLengthNeedNotBeTheBound) {
  const ValueId n = b.argument("n"), i = b.thread(), one = b.number(1);
  const ValueId before = b.make(Op::Subtract, i, n);
  auto length = [&](ValueId from, ValueId bound, ValueId step) {
    return lengthOf(b.kernel, b.countedLoop(from, bound, step).loop);
  };
  EXPECT_EQ(length(n, b.number(0), b.number(-1)).arguments, std::vector{n});
  const Length plain = length(b.number(0), n, one);
  EXPECT_EQ(plain.arguments, std::vector{n});
  EXPECT_FALSE(plain.isWindow);
  const Length window = length(before, b.add(i, n), one);
  EXPECT_EQ(window.arguments, std::vector{n});
  EXPECT_TRUE(window.isWindow);
  EXPECT_TRUE(length(b.make(Op::Subtract, b.number(0), n), n, one).isWindow);
  EXPECT_TRUE(length(i, n, one).arguments.empty());
  EXPECT_TRUE(length(i, b.add(i, b.number(8)), one).arguments.empty());
  EXPECT_TRUE(length(b.number(0), n, i).arguments.empty());
  EXPECT_TRUE(length(before, b.add(b.varying(), n), one).arguments.empty());
}

TEST_F(LoopBound, TheArrayThatACounterIndexesLimitsALoop) {
  const auto loop = b.countedLoop(b.number(0), b.argument("n"), b.number(1));
  EXPECT_FALSE(iterationsInArray(b.kernel, loop.loop));
  auto index = [&](ValueId base, ValueId at) {
    b.access(b.element(base, at, 4), 4).loops = {loop.loop};
  };
  index(b.object("in"), loop.counter);
  index(b.object("fixed", Space::Constant, 16), b.number(2));
  EXPECT_FALSE(iterationsInArray(b.kernel, loop.loop));
  index(b.object("weights", Space::Constant, 36), loop.counter);
  index(b.object("own", Space::Local, 64), loop.counter);
  EXPECT_EQ(iterationsInArray(b.kernel, loop.loop), 9u);
}

// Directions of three numbers each: `e[k].x`.
TEST_F(LoopBound, AnArrayOfStructuresHasAsManyElementsAsStructures) {
  const auto loop = b.countedLoop(b.number(0), b.argument("n"), b.number(1));
  const ValueId directions = b.object("directions", Space::Constant, 32 * 12);
  b.access(b.element(directions, loop.counter, 12), 4).loops = {loop.loop};
  EXPECT_EQ(iterationsInArray(b.kernel, loop.loop), 32u);
}

// `nearest[k % 8]`, and `nearest[cell[k]]`: the loop over k may be long.
TEST_F(LoopBound, AnArrayThatTheCounterDoesNotStepThroughLimitsNoLoop) {
  const auto loop = b.countedLoop(b.number(0), b.argument("n"), b.number(1));
  const ValueId nearest = b.object("nearest", Space::Local, 32);
  auto index = [&](ValueId at) {
    b.access(b.element(nearest, at, 4), 4).loops = {loop.loop};
  };
  index(b.make(Op::RemainderUnsigned, loop.counter, b.number(8)));
  index(b.graph.loaded(b.element(b.object("cell"), loop.counter, 4), "cell[k]",
                       32, true));
  EXPECT_FALSE(iterationsInArray(b.kernel, loop.loop));
}

// Threads that share the iterations have few each, whatever the bound.
TEST_F(LoopBound, ThreadsMayDivideTheIterations) {
  const ValueId n = b.argument("n");
  const ValueId size = b.graph.special(Op::BlockSize, 0, 64);
  EXPECT_TRUE(
      dividesAmongThreads(b.kernel, b.countedLoop(b.thread(), n, size).loop));
  EXPECT_TRUE(dividesAmongThreads(b.kernel, to(b.thread())));
  EXPECT_FALSE(dividesAmongThreads(b.kernel, to(n)));
  // A guard before the loop divides nothing.
  const LoopId guarded = to(n);
  b.kernel.loops[guarded].continues = b.graph.both(
      b.is(Op::LessSigned, b.thread(), n), b.kernel.loops[guarded].continues);
  EXPECT_FALSE(dividesAmongThreads(b.kernel, guarded));
}
