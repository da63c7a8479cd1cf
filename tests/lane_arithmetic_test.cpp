#include "cost/lane_arithmetic.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class LaneArithmeticTest : public testing::Test, protected WarpBuilder {};

TEST_F(LaneArithmeticTest, ArithmeticWrapsAtItsWidth) {
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
TEST_F(LaneArithmeticTest, ShiftsByTheWidthAndTheMinimumAreDefined) {
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
TEST_F(LaneArithmeticTest, DivisionByZeroIsUnknownInItsLaneAlone) {
  LaneValues result = lanes(make(Op::DivideUnsigned, number(64), thread()));
  EXPECT_EQ(result.unknown, 1u);
  EXPECT_EQ(result.value[4], 16u);
}

TEST_F(LaneArithmeticTest, LogicIsThreeValued) {
  ValueId unknown = flag("f"), low = is(Op::LessUnsigned, thread(), number(16));
  EXPECT_EQ(may(graph.make(Op::And, 1, {unknown, low})), 0xffffu);
  LaneValues both = lanes(graph.make(Op::And, 1, {unknown, low}));
  EXPECT_EQ(both.unknown, 0xffffu); // false and unknown is false
  LaneValues either = lanes(graph.make(Op::Or, 1, {unknown, low}));
  EXPECT_EQ(either.unknown, 0xffff0000u); // true or unknown is true
  EXPECT_EQ(either.value[0], 1u);
  EXPECT_EQ(may(graph.negated(unknown)), ~0u);
}

// `if (threadIdx.x == best[blockIdx.x])` is no work for a whole warp.
TEST_F(LaneArithmeticTest, AnElectedLaneIsOneLane) {
  ValueId best = graph.loaded(object("best"), "best[b]", 32, false);
  ValueId x = graph.special(Op::ThreadIndex, 0, 32);
  ValueId same = is(Op::Equal, x, best), other = is(Op::NotEqual, x, best);
  Evaluation evaluation(kernel);
  Warp doubting(evaluation, {32, 1, 1}, 0, 0, 0);
  doubting.doubt();
  EXPECT_EQ(doubting.may(same, {}), 1u);
  EXPECT_EQ(doubting.may(other, {}), ~1u);
}

// `i / (h * w * c)` with sizes whose product is 2^32: an index of the first
// image, not one that nobody knows.
TEST(LaneArithmetic, AProductOfProbeSizesThatWrappedToZeroIsLarge) {
  LaneValues index;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    index.value[lane] = lane;
  const LaneValues wrapped = LaneValues::splat(0, /*assumed=*/true);
  const LaneValues image = binaryOf(Op::DivideSigned, index, wrapped, 32, 1);
  EXPECT_EQ(image.unknown, 0u);
  EXPECT_EQ(image.value[31], 0u);
  EXPECT_EQ(binaryOf(Op::RemainderSigned, index, wrapped, 32, 1).value[31],
            31u);
  EXPECT_EQ(
      binaryOf(Op::DivideSigned, index, LaneValues::splat(0), 32, 1).unknown,
      allLanes)
      << "a zero of the source";
}

// `1 << k` with a size for `k` is a power of two, not 0.
TEST(LaneArithmetic, AProbeValueShiftsByLessThanTheWidth) {
  const LaneValues one = LaneValues::splat(1),
                   size = LaneValues::splat(20480 + 3, /*assumed=*/true);
  EXPECT_EQ(binaryOf(Op::ShiftLeft, one, size, 32, 1).value[0], 8u);
}

} // namespace
