// Addresses whose strides are all arguments: one of them may be 1, and then
// nothing is strided.
#include "cost/free_stride.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class FreeStride : public testing::Test, protected ModelBuilder {
protected:
  bool isFree(ValueId index) { return isFreeAt(element(a, index, 4)); }
  bool isFreeAt(ValueId address, bool ofVector = false) {
    Access access;
    access.address = address;
    access.ofVector = ofVector;
    return hasFreeStrides(kernel, access);
  }
  /// Beside accesses of the other indexes.
  bool isSpare(ValueId index, llvm::ArrayRef<ValueId> others = {}) {
    kernel.accesses.clear();
    for (ValueId other : others)
      kernel.accesses.emplace_back().address = element(a, other, 4);
    Access access;
    access.address = element(a, index, 4);
    return SpareStrides(kernel).has(access);
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

// `out[i]` of PyTorch's accessor of one dimension has a stride, and it is 1.
TEST_F(FreeStride, AVectorHasTheStrideOfTheCaller) {
  const ValueId address = element(a, product(thread(), s), 4);
  EXPECT_TRUE(isFreeAt(address, true));
  EXPECT_FALSE(isFreeAt(address)) << "a column of a matrix";
  EXPECT_FALSE(isFreeAt(element(a, product(thread(), number(3)), 4), true));
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

// Kokkos counts by `i = i < end - step ? i + step : end`. Without this, no
// stride of a parallel_for was reported.
TEST_F(FreeStride, TheEndOfALoopIsNoStride) {
  const ValueId end = argument("end");
  for (Op op : {Op::Select, Op::Join}) {
    const ValueId i = graph.carried(kernel.loops.size(), 64, false);
    const ValueId goesOn = is(Op::LessSigned, i, end), next = add(i, number(9));
    graph.setCarried(
        i, thread(),
        op == Op::Select
            ? graph.make(op, 64, {goesOn, next, end})
            : graph.make(op, 64,
                         {goesOn, next, is(Op::LessSigned, end, i), end}));
    kernel.loops.emplace_back();
    EXPECT_FALSE(isFree(product(i, s)));
    EXPECT_TRUE(isFree(add(product(i, s), product(row, t))));
  }
}

// What a Kokkos scan gives each block: `(block * part + thread) * stride`.
TEST_F(FreeStride, ThePartOfABlockIsNoStride) {
  const ValueId index = add(product(row, t), thread());
  EXPECT_FALSE(isFree(product(index, s)));
  const ValueId tensor = add(product(row, t), product(thread(), s));
  EXPECT_TRUE(isFree(product(tensor, argument("s2"))));
}

TEST_F(FreeStride, WidthsAndSharedPartsDoNotMatter) {
  const ValueId narrow = graph.make(Op::Resize, 32, {thread()});
  const ValueId wide = graph.make(Op::SignExtend, 64, {narrow});
  EXPECT_TRUE(isFree(add(product(wide, s), product(row, t))));
  EXPECT_FALSE(isFreeAt(a));
}

// `offset += left % sizes[d] * strides[d], left /= sizes[d]`: a tensor's index.
TEST_F(FreeStride, AnArrayHasTheStrideOfEachDimension) {
  auto [loop, d] = countedLoop(number(0), argument("dimensions"), number(1));
  auto loadedHere = [&, d = d](const char *name) {
    return graph.loaded(element(object(name), d, 8), name, 64, false);
  };
  const ValueId size = loadedHere("sizes"), stride = loadedHere("strides");
  const ValueId left = graph.carried(loop, 64, false);
  graph.setCarried(left, thread(), make(Op::DivideUnsigned, left, size));
  const ValueId index = make(Op::RemainderUnsigned, left, size);
  auto summed = [&, loop = loop](auto next) {
    const ValueId sum = graph.carried(loop, 64, false);
    graph.setCarried(sum, number(0), next(sum));
    return final(sum, loop);
  };
  EXPECT_TRUE(isFree(
      summed([&](ValueId sum) { return add(sum, product(index, stride)); })));
  // The sizes of the inner dimensions are the strides of the outer ones.
  EXPECT_FALSE(isFree(
      summed([&](ValueId sum) { return add(product(sum, size), index); })));
  // One row after the other, each of its own length.
  EXPECT_FALSE(isFree(product(thread(), stride)));
  // Each thread has strides of its own.
  const ValueId own = graph.loaded(element(object("own"), add(thread(), d), 8),
                                   "own", 64, false);
  EXPECT_FALSE(isFree(
      summed([&](ValueId sum) { return add(sum, product(index, own)); })));
}

// BLAS' 'x[i * incx]': the stride is 1 as a rule.
TEST_F(FreeStride, WhatMultipliesAWholeIndexMayBeOne) {
  EXPECT_TRUE(isSpare(product(thread(), s)));
  EXPECT_TRUE(isSpare(product(add(times(row, 256), thread()), s)));
  EXPECT_FALSE(isSpare(times(thread(), 3)));
  EXPECT_FALSE(isSpare(thread()));
}

// MatX's tensors come with their strides, and a thread may take several
// elements: all findings in its sample of 25 kernels were of strides of 1.
TEST_F(FreeStride, AViewHasTheStrideOfItsArgument) {
  const ValueId view = object("view", Space::Parameter),
                other = object("other", Space::Parameter);
  auto member = [&](ValueId base, unsigned at, bool isPointer) {
    return graph.loaded(add(base, number(at)), "member", 64, isPointer);
  };
  std::string text = "view(i)";
  bool ofOperator = false;
  auto isOfView = [&](ValueId index, llvm::ArrayRef<ValueId> others = {}) {
    const ValueId data = member(view, 0, true);
    kernel.accesses.clear();
    for (ValueId each : others)
      kernel.accesses.emplace_back().address = element(data, each, 4);
    Access access;
    access.address = element(data, index, 4);
    access.text = text;
    access.ofOperator = ofOperator;
    return SpareStrides(kernel).hasOfView(access);
  };
  const ValueId stride = member(view, 8, false);
  const ValueId own = product(thread(), stride);
  EXPECT_TRUE(isOfView(own));
  EXPECT_TRUE(isOfView(
      add(product(times(thread(), 4), stride), product(stride, number(3)))));
  EXPECT_FALSE(isOfView(product(thread(), member(other, 8, false))));
  EXPECT_FALSE(isOfView(product(thread(), s)));
  EXPECT_FALSE(isOfView(own, {add(product(row, stride), thread())}))
      << "a column of a matrix";
  EXPECT_FALSE(isOfView(product(add(product(row, t), thread()), stride)))
      << "rows of planes";
  for (const char *other :
       {"view.data[row * view.pitch]", "view(row, 0)", "view(0u, row)"}) {
    text = other;
    EXPECT_FALSE(isOfView(own)) << other;
  }
  text = "view[i]";
  EXPECT_FALSE(isOfView(own)) << "of a pointer";
  ofOperator = true;
  EXPECT_TRUE(isOfView(own));
  text = "view[row * view.pitch]";
  EXPECT_FALSE(isOfView(own));
}

TEST_F(FreeStride, TheLengthOfARowIsNotOne) {
  const ValueId first = product(thread(), s);
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  for (ValueId inRow : {k, row, argument("column"), number(1)}) {
    EXPECT_FALSE(isSpare(add(first, inRow)));
    EXPECT_FALSE(isSpare(first, {thread(), add(product(row, s), inRow)}))
        << "another access goes along the row";
  }
  EXPECT_TRUE(isSpare(first, {thread(), product(row, s), add(first, first)}));
  EXPECT_TRUE(isSpare(first, {add(product(thread(), t), k)}))
      << "rows of another array";
}
