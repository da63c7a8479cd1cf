#include "cost/warp.h"
#include "model_builder.h"
#include "os/deadline.h"
#include "os/workers.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class WarpTest : public testing::Test, protected ModelBuilder {
protected:
  LaneValues lanes(ValueId value, Shape shape = {32, 1, 1}, unsigned index = 0,
                   Iterations iterations = {}, unsigned trial = 0) {
    Evaluation evaluation(kernel);
    return Warp(evaluation, shape, index, 0, trial).evaluate(value, iterations);
  }
  uint32_t may(ValueId condition, Shape shape = {32, 1, 1},
               unsigned index = 0) {
    Evaluation evaluation(kernel);
    return Warp(evaluation, shape, index, 0, 0).may(condition, Iterations());
  }
  std::vector<Iterations> iterationsOf(const std::vector<LoopId> &loops) {
    return iterationsOf(loops, graph.always());
  }
  std::vector<Iterations> iterationsOf(const std::vector<LoopId> &loops,
                                       ValueId guard) {
    Evaluation evaluation(kernel);
    std::vector<Iterations> all;
    Warp(evaluation, {32, 1, 1}, 0, 0, 0)
        .forEachIteration(loops, guard, [&](const Iterations &iterations) {
          all.push_back(iterations);
          return true;
        });
    return all;
  }
  /// The innermost value of a pointer that each loop of a nest steps: by 5 in
  /// the innermost one, behind each inner loop by 7 in the first loop, by 8 in
  /// the second, and so on.
  ValueId steppedByNest(const std::vector<ValueId> &bounds) {
    std::vector<ValueId> values;
    for (LoopId id = 0; id < bounds.size(); ++id) {
      const ValueId counter =
          countedLoop(number(0), bounds[id], number(1)).counter;
      const ValueId before = graph.carried(id, 1, false),
                    goesOn = graph.make(
                        Op::And, 1,
                        {before, is(Op::LessSigned, counter, bounds[id])});
      graph.setCarried(before,
                       id ? kernel.loops[id - 1].continues : graph.always(),
                       goesOn);
      kernel.loops[id].continues = goesOn;
      values.push_back(graph.carried(id, 64, false));
    }
    ValueId next = add(values.back(), number(5));
    for (LoopId id = bounds.size(); id-- > 0;) {
      graph.setCarried(values[id], id ? values[id - 1] : thread(), next);
      if (id)
        next = add(final(values[id], id), number(6 + id));
    }
    return values.back();
  }
};

// Threads are numbered x first, then y, then z.
TEST_F(WarpTest, ThreadsAreNumberedXThenYThenZ) {
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

TEST_F(WarpTest, TheLastWarpMayBePartial) {
  Evaluation evaluation(kernel);
  EXPECT_EQ(Warp(evaluation, {40, 1, 1}, 0, 0, 0).lanes(), ~0u);
  EXPECT_EQ(Warp(evaluation, {40, 1, 1}, 1, 0, 0).lanes(), 0xffu);
  EXPECT_EQ(Warp(evaluation, {40, 1, 1}, 2, 0, 0).lanes(), 0u);
  EXPECT_EQ(may(graph.always(), {40, 1, 1}, 1), 0xffu);
}

TEST_F(WarpTest, ArithmeticWrapsAtItsWidth) {
  ValueId x = graph.special(Op::ThreadIndex, 0, 32);
  ValueId below = graph.make(Op::Subtract, 32, {x, number(1, 32)});
  EXPECT_EQ(lanes(below).value[0], 0xffffffffu);
  ValueId wide = graph.make(Op::SignExtend, 64, {below}, 32);
  EXPECT_EQ(lanes(wide).value[0], ~uint64_t(0));
  EXPECT_EQ(lanes(graph.make(Op::Resize, 64, {below})).value[0], 0xffffffffu);
  EXPECT_EQ(
      lanes(graph.make(Op::DivideSigned, 32, {below, number(2, 32)})).value[0],
      0u);
  EXPECT_EQ(lanes(graph.make(Op::MinSigned, 32, {below, x})).value[0],
            0xffffffffu);
  EXPECT_EQ(lanes(graph.make(Op::MinUnsigned, 32, {below, x})).value[0], 0u);
}

// C++ leaves these undefined; the machine and this program define them.
TEST_F(WarpTest, ShiftsByTheWidthAndTheMinimumAreDefined) {
  ValueId x = graph.special(Op::ThreadIndex, 0, 32);
  ValueId far = graph.make(Op::Add, 32, {x, number(32, 32)});
  EXPECT_EQ(lanes(graph.make(Op::ShiftLeft, 32, {number(1, 32), far})).value[3],
            0u);
  ValueId least = number(0x80000000, 32), minusOne = number(0xffffffff, 32);
  EXPECT_EQ(lanes(graph.make(Op::ShiftRightSigned, 32, {least, far})).value[0],
            0xffffffffu);
  EXPECT_EQ(lanes(graph.make(Op::DivideSigned, 32, {least, minusOne})).value[0],
            0x80000000u);
  EXPECT_EQ(
      lanes(graph.make(Op::RemainderSigned, 32, {least, minusOne})).value[0],
      0u);
  ValueId zero64 = graph.make(Op::Subtract, 64, {thread(), thread()});
  EXPECT_EQ(lanes(graph.make(Op::LeadingZeros, 64, {zero64})).value[0], 64u);
  ValueId bit = graph.make(Op::ShiftLeft, 32, {number(1, 32), x});
  EXPECT_EQ(lanes(graph.make(Op::ReverseBits, 32, {bit})).value[0],
            0x80000000u);
  EXPECT_EQ(lanes(graph.make(Op::LeadingZeros, 32, {bit})).value[4], 27u);
}

// One lane divides by zero; the others' results stand.
TEST_F(WarpTest, DivisionByZeroIsUnknownInItsLaneAlone) {
  LaneValues result = lanes(make(Op::DivideUnsigned, number(64), thread()));
  EXPECT_EQ(result.unknown, 1u);
  EXPECT_EQ(result.value[4], 16u);
}

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

// `a[(int)(i * 0.5f)]` has an index that is known. A quotient by a size that
// is not would be as good as any.
TEST_F(WarpTest, FloatsOfKnownNumbersAreKnown) {
  auto real = [&](const char *text, std::vector<ValueId> operands) {
    return graph.opaque(text, 0, false, operands);
  };
  const ValueId i = real("sitofp 32", {thread()}),
                half = graph.constant(0x3fe0000000000000, 0);
  auto index = [&](ValueId product) {
    return lanes(graph.opaque("fptosi 32", 32, false, {product}));
  };
  const LaneValues known = index(real("fmul 32", {i, half}));
  EXPECT_EQ(known.unknown, 0u);
  EXPECT_FALSE(known.assumed);
  EXPECT_EQ(known.value[31], 15u);
  EXPECT_EQ(index(real("__nv_floorf", {i})).value[7], 7u);
  const ValueId size = real("sitofp 32", {argument("n")});
  EXPECT_EQ(index(real("fdiv 32", {i, size})).unknown, ~0u);
  EXPECT_EQ(index(real("fmul 32", {i, argument("scale", 0)})).unknown, ~0u);
}

// `(int)(0.5f * k)` is another number in each iteration.
TEST_F(WarpTest, OpaqueFunctionsOfACounterDifferByIteration) {
  auto [loop, k] = countedLoop(0, 4);
  ValueId half = graph.opaque("a conversion", 64, false, {k});
  EXPECT_NE(lanes(half, {32, 1, 1}, 0, {0}).value,
            lanes(half, {32, 1, 1}, 0, {1}).value);
}

TEST_F(WarpTest, LogicIsThreeValued) {
  ValueId unknown = flag("f"), low = is(Op::LessUnsigned, thread(), number(16));
  EXPECT_EQ(may(graph.make(Op::And, 1, {unknown, low})), 0xffffu);
  LaneValues both = lanes(graph.make(Op::And, 1, {unknown, low}));
  EXPECT_EQ(both.unknown, 0xffffu); // false and unknown is false
  LaneValues either = lanes(graph.make(Op::Or, 1, {unknown, low}));
  EXPECT_EQ(either.unknown, 0xffff0000u); // true or unknown is true
  EXPECT_EQ(either.value[0], 1u);
  EXPECT_EQ(may(graph.negated(unknown)), ~0u);
}

TEST_F(WarpTest, SelectFollowsEachLaneAndNamesUnknowns) {
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

TEST_F(WarpTest, JoinTakesThePathWhoseConditionHolds) {
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

TEST_F(WarpTest, CarriedValuesAreEvaluatedByIteration) {
  auto [loop, k] = countedLoop(thread(), argument("n"), number(32));
  EXPECT_EQ(lanes(k).value[3], 3u);
  EXPECT_EQ(lanes(k, {32, 1, 1}, 0, {40}).value[3], 3u + 40 * 32);
}

TEST_F(WarpTest, FinalIsTheValueAfterEachLanesLastIteration) {
  // for (k = 0; k < tid + 1; ++k), where each lane leaves in an iteration of
  // its own
  auto [loop, k] = countedLoop(number(0), add(thread(), number(1)), number(1));
  LaneValues last = lanes(final(k, loop));
  for (unsigned lane = 0; lane < warpSize; ++lane)
    EXPECT_EQ(last.value[lane], lane);
}

// matconvnet's kernels step pointers in four loops, of which each begins where
// the outer one is: their addresses were "too long to evaluate".
TEST_F(WarpTest, APointerThatANestStepsIsTheSumOfItsLoops) {
  const ValueId two = number(2);
  const ValueId value = steppedByNest({two, two, two, two});
  EXPECT_EQ(lanes(value, {32, 1, 1}, 0, {1, 1, 1, 1}).value[3],
            3u + 5 + (10 + 9) + (38 + 8) + (92 + 7));
  EXPECT_EQ(lanes(value, {32, 1, 1}, 0, {0, 1, 0, 1}).value[3],
            3u + 5 + (38 + 8));
}

TEST_F(WarpTest, EachLaneLeavesTheLoopsOfANestByItself) {
  const ValueId value =
      steppedByNest({number(3), add(thread(), number(1))});
  const LaneValues later = lanes(value, {32, 1, 1}, 0, {2, 1});
  for (unsigned lane : {0u, 1u, 31u})
    EXPECT_EQ(later.value[lane], lane + 2 * (5 * (lane + 1) + 7) + 5);
}

TEST_F(WarpTest, ANestOfUnknownLengthIsNotFollowedIterationByIteration) {
  const ValueId value = steppedByNest(
      {argument("a"), argument("b"), argument("c"), argument("d")});
  Evaluation evaluation(kernel);
  const long before = evaluation.budget;
  const LaneValues later =
      Warp(evaluation, {32, 1, 1}, 0, 0, 0).evaluate(value, {9, 9, 9, 9});
  EXPECT_EQ(later.unknown, 0u);
  EXPECT_TRUE(later.assumed);
  EXPECT_EQ(later.value[5], later.value[0] + 5);
  EXPECT_LT(before - evaluation.budget, 10'000);
}

// A loop that goes on for longer than it is followed: what it leaves is made up
// and must differ by trial, or it would pass for known.
TEST_F(WarpTest, ResultsOfLongLoopsAreProbeValues) {
  auto [loop, k] = countedLoop(0, 1000);
  ValueId last = final(k, loop);
  EXPECT_TRUE(lanes(last).assumed);
  EXPECT_NE(lanes(last).value, lanes(last, {32, 1, 1}, 0, {}, 1).value);
}

// Lanes that have left cannot share what the others will have.
TEST_F(WarpTest, ALoopWithInactiveLanesIsNotUniform) {
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

TEST_F(WarpTest, EverHoldsIfItHeldInSomeIteration) {
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

TEST_F(WarpTest, ShufflesBroadcastAndRotate) {
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
TEST_F(WarpTest, ABallotHasABitForEachLane) {
  ValueId low = is(Op::LessSigned, thread(), number(5));
  EXPECT_EQ(lanes(graph.make(Op::Ballot, 32, {low})).value[7], 0x1fu);
  ValueId unknown = is(Op::LessSigned, varying(), number(5));
  ValueId ballot = graph.make(Op::Ballot, 32, {unknown});
  EXPECT_TRUE(lanes(ballot).isUniform());
  ValueId wide = graph.make(Op::Resize, 64, {ballot});
  ValueId below = graph.make(Op::And, 64, {wide, thread()});
  EXPECT_EQ(lanes(graph.make(Op::CountOnes, 64, {below})).unknown, ~0u);
}

TEST_F(WarpTest, ThreadPrivateMemoryReturnsStoredValues) {
  ValueId own = object("tmp", Space::Local, 8), size = number(4);
  auto load = [&](unsigned i) {
    return graph.make(Op::Forwarded, 64,
                      {element(own, number(i), 4), element(own, number(0), 4),
                       thread(), size, element(own, number(1), 4), number(9),
                       size},
                      4);
  };
  EXPECT_EQ(lanes(load(0)).value[3], 3u);
  EXPECT_EQ(lanes(load(1)).value[3], 9u);
  EXPECT_EQ(lanes(load(2)).unknown, ~0u); // nobody wrote it
}

TEST_F(WarpTest, AnAddressIdentifiesItsObject) {
  ValueId a = object("a"), s = object("s", Space::Shared, 1024);
  object("b");
  ValueId below = element(a, number(-1), 4), sBelow = element(s, number(-1), 4),
          inside = element(s, number(5), 4);
  Evaluation later(kernel);
  Warp other(later, {32, 1, 1}, 0, 0, 0);
  auto object = [&](ValueId address) {
    const Object *found = other.objectAt(other.evaluate(address, {}).value[0]);
    return found ? found->name : "";
  };
  EXPECT_EQ(object(a), "a");
  EXPECT_EQ(object(below), "a"); // a[i - 1] at the border is not of 'b'
  EXPECT_EQ(object(inside), "s");
  EXPECT_EQ(object(sBelow), "s");
  EXPECT_EQ(other.objectAt(0), nullptr);
}

TEST_F(WarpTest, KnownLoopsAreEvaluatedInFull) {
  auto [outer, i] = countedLoop(0, 3);
  auto [inner, j] = countedLoop(number(0), i, number(1));
  std::vector<Iterations> all = iterationsOf({outer, inner});
  EXPECT_EQ(all, (std::vector<Iterations>{{1, 0}, {2, 0}, {2, 1}}));
}

TEST_F(WarpTest, UnknownLoopsAreEvaluatedForTwoIterations) {
  auto [loop, i] = countedLoop(number(0), argument("n"), number(1));
  EXPECT_EQ(iterationsOf({loop}), (std::vector<Iterations>{{0}, {1}}));
}

// 'step - threadIdx.x >= 0': one more lane in each step, up to the 32nd.
TEST_F(WarpTest, IterationsBeforeAllLanesHaveJoinedAreLeftOut) {
  auto [loop, step] = countedLoop(number(0), argument("n"), number(1));
  EXPECT_EQ(iterationsOf({loop}, is(Op::LessEqualSigned, thread(), step)),
            (std::vector<Iterations>{{31}, {32}}));
  EXPECT_EQ(iterationsOf({loop}, is(Op::LessEqualSigned, step, thread())),
            (std::vector<Iterations>{{0}, {1}}))
      << "lanes that leave one by one";
}

// The bits of a set of loops are fewer than a large kernel's loops.
TEST_F(WarpTest, LanesJoinALoopBehindManyOthersAsWell) {
  for (unsigned i = 0; i < 70; ++i)
    countedLoop(0, 2);
  auto [loop, step] = countedLoop(number(0), argument("n"), number(1));
  const auto all =
      iterationsOf({loop}, is(Op::LessEqualSigned, thread(), step));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0][loop], 31);
}

TEST_F(WarpTest, ALoopThatIsNeverEnteredHasNoIterations) {
  auto [loop, i] = countedLoop(5, 5);
  EXPECT_TRUE(iterationsOf({loop}).empty());
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

// On the stack that the line's workers have.
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

// A launch for an empty tensor: 'k<<<(0 + 255) / 256, 256>>>'.
TEST_F(WarpTest, AnEmptyGridDoesNotCrash) {
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

// `int width = channels / heads;` lanes below it are not one, or none.
TEST_F(WarpTest, QuotientsOfProbeSizesAreSizes) {
  ValueId channels = graph.parameter(0, "channels", 32),
          heads = graph.parameter(1, "heads", 32);
  ValueId width = graph.make(Op::DivideSigned, 32, {channels, heads});
  EXPECT_GE(lanes(width).value[0], 1000u);
  EXPECT_EQ(lanes(width).value[0] % 32, 0u) << "adds no misalignment";
  EXPECT_TRUE(lanes(width).assumed);
  // Arguments of a launch are divided exactly.
  std::vector<Launched> launches(1);
  launches[0].arguments = {48, 12};
  Evaluation evaluation(kernel, launches);
  EXPECT_EQ(Warp(evaluation, {32, 1, 1}, 0, 0, 0).evaluate(width, {}).value[0],
            4u);
}

// `start / length == last / length`: the first and the last index of a warp
// mostly lie in one row.
TEST_F(WarpTest, AnIndexIsNoSizeToDivide) {
  ValueId block = graph.special(Op::BlockIndex, 0, 32);
  ValueId start = graph.make(Op::Multiply, 32, {block, number(512, 32)});
  ValueId last = graph.make(Op::Add, 32, {start, number(31, 32)});
  ValueId length = graph.parameter(0, "length", 32);
  const auto row = [&](ValueId index) {
    return lanes(graph.make(Op::DivideSigned, 32, {index, length})).value[0];
  };
  EXPECT_EQ(row(start), 0u);
  EXPECT_EQ(row(last), 0u);
}

// `int length = end[row] - begin[row];` with two sizes of which nobody knows
// the larger: a loop up to a negative one would be left out.
TEST_F(WarpTest, DifferencesOfProbeSizesAreSizes) {
  ValueId begin = graph.loaded(object("begin"), "begin[row]", 32, false),
          end = graph.loaded(object("end"), "end[row]", 32, false);
  for (ValueId length : {graph.make(Op::Subtract, 32, {end, begin}),
                         graph.make(Op::Subtract, 32, {begin, end})}) {
    EXPECT_GE(int32_t(lanes(length).value[0]), 1000);
    EXPECT_EQ(lanes(length).value[0] % 32, 0u) << "adds no misalignment";
    EXPECT_TRUE(lanes(length).assumed);
  }
  EXPECT_EQ(lanes(graph.make(Op::Subtract, 32, {end, end})).value[0], 0u);
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

// `if (threadIdx.x == best[blockIdx.x])` is no work for a whole warp.
TEST_F(WarpTest, AnElectedLaneIsOneLane) {
  ValueId best = graph.loaded(object("best"), "best[b]", 32, false);
  ValueId x = graph.special(Op::ThreadIndex, 0, 32);
  ValueId same = is(Op::Equal, x, best), other = is(Op::NotEqual, x, best);
  Evaluation evaluation(kernel);
  Warp doubting(evaluation, {32, 1, 1}, 0, 0, 0);
  doubting.doubt();
  EXPECT_EQ(doubting.may(same, {}), 1u);
  EXPECT_EQ(doubting.may(other, {}), ~1u);
}

// A grid-stride loop has an unknown trip count; the loop of seven iterations in
// it has seven.
TEST_F(WarpTest, AKnownLoopInAnUnknownOneRunsInFull) {
  Counted outer = countedLoop(number(0), argument("n"), number(1));
  Counted inner = countedLoop(0, 7);
  ValueId inside = is(Op::LessSigned, outer.counter, argument("n"));
  kernel.loops[inner.loop].parent = outer.loop;
  kernel.loops[inner.loop].continues =
      graph.both(inside, kernel.loops[inner.loop].continues);
  std::vector<Iterations> iterations = iterationsOf({outer.loop, inner.loop});
  EXPECT_EQ(llvm::count_if(iterations,
                           [&](const Iterations &t) { return !t[outer.loop]; }),
            7);
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
