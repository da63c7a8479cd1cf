#include "cost/block_conditions.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class BlockConditions : public testing::Test, protected ModelBuilder {
protected:
  ValueId block = graph.special(Op::BlockIndex, 0, 64);
  ValueId index = add(times(block, 256), thread());
};

TEST_F(BlockConditions, ThreadsAndSizesAreTheSameInAllBlocks) {
  EXPECT_TRUE(differsByBlock(graph, is(Op::Equal, index, number(3))));
  EXPECT_FALSE(differsByBlock(graph, is(Op::Equal, thread(), number(3))));
  EXPECT_FALSE(differsByBlock(graph, is(Op::Equal, argument("n"), number(3))));
  // Data that each block loads elsewhere say nothing of blocks.
  const ValueId loaded =
      graph.loaded(element(object("a"), index, 4), "a[i]", 64, false);
  EXPECT_FALSE(differsByBlock(graph, is(Op::Equal, loaded, number(3))));
}

TEST_F(BlockConditions, ABoundComparesAnIndexOfTheGrid) {
  EXPECT_TRUE(hasGridBound(graph, is(Op::LessSigned, index, argument("n"))));
  EXPECT_FALSE(hasGridBound(graph, is(Op::Equal, index, argument("n"))));
  EXPECT_FALSE(hasGridBound(graph, is(Op::LessSigned, thread(), number(3))));
}

TEST_F(BlockConditions, AnEdgeIsOneValueOfAnIndex) {
  EXPECT_TRUE(isOfEdge(graph, is(Op::Equal, index, argument("last"))));
  EXPECT_FALSE(isOfEdge(graph, is(Op::LessSigned, index, argument("last"))));
  // Each second block has it.
  EXPECT_FALSE(isOfEdge(
      graph, is(Op::Equal, make(Op::And, block, number(1)), number(0))));
}

} // namespace
