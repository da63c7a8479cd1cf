// Addresses whose strides are all arguments: one of them may be 1, and then
// nothing is strided.
#include "cost/free_stride.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class FreeStride : public testing::Test, protected ModelBuilder {
protected:
  bool isFree(ValueId index) {
    return hasFreeStrides(kernel, element(a, index, 4));
  }
  ValueId product(ValueId x, ValueId y) { return make(Op::Multiply, x, y); }

  ValueId a = object("a"), s = argument("s0"), t = argument("s1"),
          row = graph.special(Op::BlockIndex, 0, 64);
};

} // namespace

TEST_F(FreeStride, EachTermHasAStrideOfTheCaller) {
  EXPECT_TRUE(isFree(add(product(thread(), s), product(row, t))));
  EXPECT_TRUE(isFree(
      add(argument("offset"), add(product(thread(), s), product(t, row)))));
}

// The length of a row is large.
TEST_F(FreeStride, ATermWithoutAStrideMakesTheOtherALength) {
  EXPECT_FALSE(isFree(add(product(thread(), s), row)));
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  EXPECT_FALSE(isFree(add(product(thread(), s), k)));
}

TEST_F(FreeStride, OneStrideIsNotSeveral) {
  EXPECT_FALSE(isFree(product(thread(), s)));
  EXPECT_FALSE(isFree(add(product(thread(), s), product(row, s))));
  EXPECT_FALSE(isFree(add(times(thread(), 2), times(row, 3))));
}

// A pointer that each iteration moves by a stride: `p += s1`.
TEST_F(FreeStride, AStepOfALoopIsAStride) {
  auto [loop, moved] = countedLoop(number(0), argument("n"), t);
  EXPECT_TRUE(isFree(add(product(thread(), s), moved)));
  auto [other, counted] = countedLoop(number(0), argument("n"), number(1));
  EXPECT_FALSE(isFree(add(product(thread(), s), counted)));
}

TEST_F(FreeStride, WidthsAndSharedPartsDoNotMatter) {
  const ValueId narrow = graph.make(Op::Resize, 32, {thread()});
  const ValueId wide = graph.make(Op::SignExtend, 64, {narrow});
  EXPECT_TRUE(isFree(add(product(wide, s), product(row, t))));
  EXPECT_FALSE(hasFreeStrides(kernel, a));
}
