#include "cost/warp.h"
#include "os/deadline.h"
#include "os/workers.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class WarpTest : public testing::Test, protected WarpBuilder {};

TEST_F(WarpTest, UniformUnknownsAreEqualAndVaryingOnesAreNot) {
  EXPECT_TRUE(lanes(argument("n")).isUniform());
  EXPECT_EQ(lanes(argument("n")).unknown, 0u); // made up
  EXPECT_TRUE(lanes(argument("n")).assumed);
  EXPECT_NE(lanes(argument("n")).value, lanes(argument("m")).value);
  EXPECT_EQ(lanes(varying()).unknown, ~0u);
  EXPECT_FALSE(lanes(varying()).isUniform());
  // Two reads of `p.n` are one value; `p.m` is another.
  ValueId p = object("p", Space::Parameter);
  ValueId n = graph.loaded(element(p, number(0), 4), "p.n", 64, false);
  ValueId again = graph.loaded(element(p, number(0), 4), "(*p).n", 64, false);
  ValueId m = graph.loaded(element(p, number(1), 4), "p.m", 64, false);
  EXPECT_EQ(lanes(n).value, lanes(again).value);
  EXPECT_NE(lanes(n).value, lanes(m).value);
  ValueId own = graph.loaded(element(p, thread(), 4), "p[i]", 64, false);
  EXPECT_EQ(lanes(own).unknown, ~0u);
  EXPECT_EQ(lanes(own).why, own);
}

TEST_F(WarpTest, OpaqueFunctionsOfUniformValuesAreUniform) {
  ValueId same = graph.opaque("sqrtf", 64, false, {argument("n")});
  EXPECT_TRUE(lanes(same).isUniform());
  EXPECT_EQ(lanes(graph.opaque("sqrtf", 64, false, {thread()})).unknown, ~0u);
  // The reason is what the operand depends on, where that is unknown itself.
  ValueId lost = varying();
  EXPECT_EQ(lanes(graph.opaque("sqrtf", 64, false, {lost})).why, lost);
}

// `(int)(0.5f * k)` is another number in each iteration.
TEST_F(WarpTest, OpaqueFunctionsOfACounterDifferByIteration) {
  auto [loop, k] = countedLoop(0, 4);
  ValueId half = graph.opaque("a conversion", 64, false, {k});
  EXPECT_NE(lanes(half, {32, 1, 1}, 0, {0}).value,
            lanes(half, {32, 1, 1}, 0, {1}).value);
}

TEST_F(WarpTest, CarriedValuesAreEvaluatedByIteration) {
  auto [loop, k] = countedLoop(thread(), argument("n"), number(32));
  EXPECT_EQ(lanes(k).value[3], 3u);
  EXPECT_EQ(lanes(k, {32, 1, 1}, 0, {40}).value[3], 3u + 40 * 32);
}

// Iterations of a value that depends on many loops must not be mixed up.
TEST_F(WarpTest, ManyNestedLoopsKeepTheirIterationsApart) {
  std::vector<LoopId> nest;
  ValueId sum = number(0);
  for (unsigned i = 0; i < 14; ++i) {
    auto [loop, k] = countedLoop(0, 2);
    nest.push_back(loop);
    sum = add(sum, times(k, uint64_t(1) << i));
  }
  Evaluation evaluation(kernel);
  Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
  for (unsigned i = 0; i < 14; ++i) {
    Iterations iterations;
    iterations[i] = 1;
    EXPECT_EQ(warp.evaluate(sum, iterations).value[0], uint64_t(1) << i);
  }
}

// An index that each iteration doubles the ways to: memory of what is known
// keeps it cheap, and the budget ends what that cannot.
TEST_F(WarpTest, APathologicalGraphIsUnknown) {
  ValueId value = varying();
  for (unsigned i = 0; i < 100; ++i) // 2^100 paths, 100 nodes
    value = graph.make(Op::Xor, 64, {add(value, number(i)), value});
  EXPECT_EQ(lanes(value).unknown, ~0u);

  // Nests of long loops, each of whose bounds is what the last one left.
  ValueId bound = number(40);
  for (unsigned i = 0; i < 12; ++i) {
    auto [loop, k] = countedLoop(number(0), bound, number(1));
    auto [within, j] = countedLoop(k, add(k, number(40)), number(1));
    bound = final(add(final(j, within), number(1)), loop);
  }
  Evaluation evaluation(kernel);
  evaluation.budget = 1'000;
  Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
  const LaneValues &result = warp.evaluate(bound, Iterations());
  EXPECT_LT(evaluation.budget, 0);
  EXPECT_EQ(result.unknown, ~0u);
  EXPECT_EQ(result.why, tooLong);
}

// A kernel of nested loops is read within the memory of one job.
TEST_F(WarpTest, ValuesBeyondTheMemoryOfAWarpAreUnknown) {
  ValueId sum = thread();
  for (unsigned nested = 0; nested < 3; ++nested)
    sum = add(sum, countedLoop(0, 40).counter);
  for (unsigned i = 0; i < 20; ++i)
    sum = graph.make(Op::Xor, 64, {sum, number(i)});
  Evaluation evaluation(kernel);
  Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
  const LaneValues *last = nullptr;
  for (uint8_t i = 0; i < 40; ++i)
    for (uint8_t j = 0; j < 40; ++j)
      for (uint8_t k = 0; k < 40; ++k)
        last = &warp.evaluate(sum, {i, j, k});
  EXPECT_GT(evaluation.budget, 0);
  EXPECT_EQ(last->unknown, ~0u);
  EXPECT_EQ(last->why, tooLong);
  // What is known stays so, and another warp has memory of its own.
  EXPECT_EQ(warp.evaluate(sum, {1, 0, 0}).unknown, 0u);
  Warp other(evaluation, {32, 1, 1}, 0, 0, 0);
  EXPECT_EQ(other.evaluate(sum, {39, 39, 39}).unknown, 0u);
}

// 5,000 `else if` were linted for 20 seconds with --timeout 5: a deep guard was
// searched again for each access, and nothing of it was evaluated any more.
TEST_F(WarpTest, BehindTheDeadlineADeepExpressionCostsNothing) {
  ValueId value = thread();
  for (unsigned i = 0; i < 30'000; ++i)
    value = make(Op::Xor, value, number(i));
  const Deadline deadline(std::chrono::milliseconds(1));
  while (!deadline.isOver()) {
  }
  const auto begin = std::chrono::steady_clock::now();
  Evaluation evaluation(kernel);
  Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
  for (unsigned i = 0; i < 10'000; ++i)
    EXPECT_TRUE(warp.evaluate(value, {}).unknown);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

// On the stack that the line's workers have.
TEST_F(WarpTest, ADeepExpressionIsEvaluated) {
  ValueId value = thread();
  unsigned all = 0;
  for (unsigned i = 0; i < 200'000; ++i) {
    value = make(Op::Xor, value, number(i));
    all ^= i;
  }
  LaneValues result;
  bool crashed = false;
  forEachInParallel(
      1, 1, [&](size_t) { result = lanes(value); },
      [&](size_t) { crashed = true; });
  EXPECT_FALSE(crashed);
  EXPECT_EQ(result.unknown, 0u);
  for (unsigned lane : {0u, 1u, 31u})
    EXPECT_EQ(result.value[lane], uint64_t(lane ^ all));
}

// The hardware counts what a launch really gave.
TEST_F(WarpTest, ALaunchGivesArgumentsAndBlocks) {
  ValueId n = graph.parameter(1, "n", 64), m = graph.parameter(0, "m", 64);
  ValueId block = graph.special(Op::BlockIndex, 0, 64),
          blocks = graph.special(Op::GridSize, 0, 64);
  std::vector<Launched> launches(2);
  launches[0] = {{2, 2, 1}, {std::nullopt, 40}};
  launches[1].arguments = {std::nullopt, 80};
  Evaluation evaluation(kernel, launches);
  auto value = [&](ValueId id, unsigned block, unsigned trial) {
    return Warp(evaluation, {16, 16, 1}, 0, block, trial)
        .evaluate(id, {})
        .value[0];
  };
  EXPECT_EQ(value(n, 0, 0), 40u);
  EXPECT_EQ(value(n, 0, 1), 80u) << "each trial takes another launch";
  EXPECT_GT(value(m, 0, 0), 1000u) << "not constant there";
  EXPECT_EQ(value(blocks, 0, 0), 2u);
  EXPECT_EQ(value(block, 3, 0), 1u) << "of few blocks, each is looked at";
  EXPECT_EQ(value(block, 2, 0), 0u);
}

// `if (*done) return;` does not make a guard below it go away.
TEST_F(WarpTest, DoubtfulConditionsAreTriedBothWays) {
  ValueId done = graph.loaded(object("done"), "*done", 32, false);
  ValueId goesOn = is(Op::Equal, done, number(0, 32));
  ValueId few = is(Op::LessSigned, thread(), number(12));
  ValueId guard = graph.both(goesOn, few);
  Evaluation evaluation(kernel);
  Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
  EXPECT_EQ(warp.may(guard, {}), 0u) << "a probe flag is not zero";
  Warp doubting(evaluation, {32, 1, 1}, 0, 0, 0);
  doubting.doubt();
  EXPECT_EQ(doubting.may(guard, {}), 0xfffu);
}

// All warps of a block test `k < n` alike.
TEST_F(WarpTest, WarpsOfABlockShareWhatIsTheSameInThem) {
  const Shape shape{48, 1, 1};
  Counted loop = countedLoop(thread(), number(40), number(8));
  ValueId size = graph.make(Op::Multiply, 64, {argument("n"), argument("m")});
  ValueId low = is(Op::LessSigned, number(3), number(5));
  const std::vector<ValueId> values = {
      size,
      is(Op::LessSigned, loop.counter, size),
      final(loop.counter, loop.loop),
      ever(is(Op::Equal, loop.counter, number(40)), loop.loop),
      graph.make(Op::Ballot, 32, {low}),
      graph.loaded(object("flag"), "*flag", 32, false),
      graph.special(Op::Lane, 0, 32)};
  Evaluation sharing(kernel), alone(kernel);
  const Warp any(sharing, shape, 0, 0, 0);
  for (unsigned index : {0u, 1u}) {
    Warp warp(any, index), other(alone, shape, index, 0, 0);
    EXPECT_EQ(warp.lanes(), other.lanes());
    for (ValueId value : values)
      for (Iterations at : {Iterations{}, Iterations{1}, Iterations{3}}) {
        const LaneValues &shared = warp.evaluate(value, at);
        const LaneValues &own = other.evaluate(value, at);
        EXPECT_EQ(shared.value, own.value) << value << " in warp " << index;
        EXPECT_EQ(shared.unknown, own.unknown) << value;
        EXPECT_EQ(shared.assumed, own.assumed) << value;
      }
  }
  EXPECT_GT(sharing.budget, alone.budget) << "fewer evaluations";
  const long before = sharing.budget;
  Warp(any, 1).evaluate(size, {});
  EXPECT_EQ(sharing.budget, before);
}

// A warp that doubts conditions makes warps that do.
TEST_F(WarpTest, WarpsOfABlockShareItsPlaceAndItsDoubts) {
  ValueId done = graph.loaded(object("done"), "*done", 32, false);
  ValueId goesOn = is(Op::Equal, done, number(0, 32));
  ValueId place = graph.special(Op::BlockIndex, 0, 32), index = thread();
  Evaluation evaluation(kernel);
  Warp any(evaluation, {64, 1, 1}, 0, 0, 0);
  any.doubt();
  any.pin({5, 0, 0});
  Warp second(any, 1);
  EXPECT_TRUE(second.doubts());
  EXPECT_EQ(second.may(goesOn, {}), ~0u);
  const LaneValues &block = second.evaluate(place, {});
  EXPECT_EQ(block.value[0], 5u);
  EXPECT_FALSE(block.assumed);
  EXPECT_EQ(second.evaluate(index, {}).value[0], 32u);
}

} // namespace
