// How a loop's counter moves decides how many iterations it has.
#include "cost/counter_steps.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class CounterSteps : public testing::Test, protected ModelBuilder {
protected:
  /// A counter from 64 that `op` with 2 moves.
  FirstSteps steps(Op op, ValueId by) {
    const LoopId loop = countedLoop(number(0), argument("n"), number(1)).loop;
    const ValueId counter = graph.carried(loop, 64, false);
    graph.setCarried(counter, number(64), make(op, counter, by));
    Evaluation evaluation(kernel, {});
    Warp warp(evaluation, kernel.shapes[0].shape, 0, 0, /*trial=*/0);
    return firstSteps(warp, graph, loop, counter, {});
  }
  std::optional<double> step(ValueId by) {
    const auto [loop, counter] = countedLoop(thread(), argument("n"), by);
    Evaluation evaluation(kernel, {});
    return stepIn(loop, counter, evaluation, kernel.shapes[0].shape);
  }
};

} // namespace

TEST_F(CounterSteps, AreEqualOrHalfOrTwice) {
  EXPECT_EQ(steps(Op::Add, number(2)).step, CounterStep::Equal);
  EXPECT_EQ(steps(Op::DivideSigned, number(2)).step, CounterStep::Halves);
  EXPECT_EQ(steps(Op::Multiply, number(2)).step, CounterStep::Doubles);
  EXPECT_EQ(steps(Op::Multiply, number(2)).next, 128);
}

// A generator of random numbers counts nothing, and nobody knows what is
// loaded.
TEST_F(CounterSteps, AreNoneOfAStateThatIsComputedAnew) {
  EXPECT_EQ(steps(Op::Xor, number(5)).step, std::nullopt);
  const FirstSteps unknown = steps(Op::Add, varying());
  EXPECT_EQ(unknown.step, std::nullopt);
  EXPECT_TRUE(unknown.isFromKnown);
  EXPECT_FALSE(unknown.isNextKnown);
}

TEST_F(CounterSteps, AreKnownIfNoSizeDecidesThem) {
  EXPECT_EQ(step(number(4)), 4);
  EXPECT_EQ(step(argument("step")), std::nullopt);
}

TEST_F(CounterSteps, GiveTheIterations) {
  auto count = [](CounterStep step, bool isInclusive, double from, double next,
                  double to) {
    return countBetween({0, 0, step, isInclusive}, from, next, to);
  };
  EXPECT_EQ(count(CounterStep::Equal, false, 0, 3, 10), 4);
  EXPECT_EQ(count(CounterStep::Equal, true, 0, 3, 9), 4);
  EXPECT_EQ(count(CounterStep::Equal, false, 10, 9, 0), 10);
  // `s > 0` has one iteration more than `s > 1`.
  EXPECT_EQ(count(CounterStep::Halves, false, 64, 32, 0), 7);
  EXPECT_EQ(count(CounterStep::Halves, false, 64, 32, 1), 6);
  EXPECT_EQ(count(CounterStep::Doubles, true, 1, 2, 64), 7);
}

TEST_F(CounterSteps, ReachABoundThatTheConditionIncludes) {
  const ValueId i = argument("i"), n = argument("n");
  EXPECT_TRUE(includesBound(graph, is(Op::LessEqualSigned, i, n), i, false));
  EXPECT_FALSE(includesBound(graph, is(Op::LessSigned, i, n), i, false));
  EXPECT_TRUE(includesBound(graph, is(Op::LessSigned, i, n), i, true));
  EXPECT_FALSE(includesBound(graph, is(Op::NotEqual, i, n), i, false));
}
