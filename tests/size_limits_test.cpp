// Which sizes are taken to be smaller, in expressions by hand.
#include "cost/size_limits.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Limits : testing::Test {
  ModelBuilder b;
  ExpressionGraph &graph = b.graph;
  ValueId thread = graph.special(Op::ThreadIndex, 0);
  ValueId index = sum(product(graph.special(Op::BlockIndex, 0),
                              graph.special(Op::BlockSize, 0)),
                      thread);
  ValueId width = graph.parameter(0, "width", 32);
  ValueId height = graph.parameter(1, "height", 32);

  ValueId sum(ValueId a, ValueId b) { return graph.make(Op::Add, 32, {a, b}); }
  ValueId product(ValueId a, ValueId b) {
    return graph.make(Op::Multiply, 32, {a, b});
  }
  unsigned of(ValueId size) {
    const SizeLimits limits = sizeLimits(graph);
    auto limit = limits.find(sizeKey(graph, size));
    return limit == limits.end() ? usualSizeBits : limit->second;
  }
};

// Pixels of which each thread clears a square: negative indexes would let half
// of the lanes pass `i < n`, and the others not.
TEST_F(Limits, AProductOfSizesAndAnIndexDoesNotOverflow) {
  const ValueId i = product(index, product(width, width));
  EXPECT_EQ(of(width), 9u);
  Evaluation evaluation(b.kernel);
  Warp warp(evaluation, {512, 1, 1}, 15, 0, 0);
  const LaneValues &values = warp.evaluate(i, {});
  for (unsigned lane = 1; lane < warpSize; ++lane)
    EXPECT_LT(values.value[lane - 1], values.value[lane]);
  EXPECT_LT(values.value[31], uint64_t(1) << 31);
  EXPECT_EQ(warp.evaluate(width, {}).value[0] % 32, 0u);
}

// A row that all threads share moves them all: they are as far apart as before,
// and a small width would end in the middle of a block.
TEST_F(Limits, WhatAllThreadsAddLeavesTheSizes) {
  const ValueId channel = graph.special(Op::BlockIndex, 1);
  sum(product(sum(product(channel, height), thread), width), index);
  EXPECT_EQ(of(width), usualSizeBits);
  EXPECT_EQ(of(height), usualSizeBits);
}

TEST_F(Limits, AnAddressOf64BitsHasRoom) {
  const ValueId wide = graph.make(Op::SignExtend, 64, {index}, 32);
  const ValueId size = graph.parameter(0, "size", 64);
  graph.make(Op::Multiply, 64, {wide, graph.make(Op::Multiply, 64,
                                                 {size, size})});
  EXPECT_EQ(of(size), usualSizeBits);
}

TEST_F(Limits, AHashOverflowsOnPurpose) {
  product(product(index, graph.constant(2654435761u, 32)),
          product(width, width));
  EXPECT_EQ(of(width), usualSizeBits);
}

} // namespace

// xgboost packs symbols of 'width' bits: lanes were taken to be thousands of
// bytes apart where they are one or two.
TEST_F(Limits, AFactorThatShiftsIsTheWidthOfPackedValues) {
  const ValueId one = graph.constant(1, 32);
  const ValueId bit = product(index, width);
  graph.make(Op::ShiftRightUnsigned, 32, {bit, graph.constant(3, 32)});
  EXPECT_EQ(of(width), usualSizeBits) << "a stride";
  graph.make(Op::ShiftLeft, 32, {one, height});
  EXPECT_EQ(of(height), usualSizeBits) << "an exponent";
  graph.make(Op::ShiftLeft, 32, {one, width});
  EXPECT_EQ(of(width), 5u);
  Evaluation evaluation(b.kernel);
  Warp warp(evaluation, {512, 1, 1}, 15, 0, 0);
  EXPECT_LE(warp.evaluate(width, {}).value[0], 32u);
}
