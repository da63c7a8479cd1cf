#include "cost/node_values.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class NodeValuesTest : public testing::Test, protected WarpBuilder {};

// A size is computed once for a block, an index for each warp.
TEST_F(NodeValuesTest, WhatComesFromThreadsDiffersByWarp) {
  const ValueId size = add(argument("n"), number(1)),
                index = add(size, thread()),
                lane = graph.special(Op::Lane, 0, 64);
  const auto [loop, counter] = countedLoop(number(0), thread(), number(1));
  const ValueId left = final(counter, loop);
  const auto differs = differingByWarp(kernel);
  EXPECT_FALSE(differs[size]);
  EXPECT_TRUE(differs[index]);
  EXPECT_FALSE(differs[lane]);
  EXPECT_FALSE(differs[counter]) << "the iteration says all of it";
  EXPECT_TRUE(differs[left]) << "its loop ends by the thread";
}

TEST_F(NodeValuesTest, AValueBelongsToItsIteration) {
  const ValueId id = number(1);
  NodeValues values(graph);
  EXPECT_EQ(values.known(id, 0), nullptr);
  LaneValues *first = new (values.allocate()) LaneValues;
  values.keep(id, 0, first);
  EXPECT_EQ(values.known(id, 7), nullptr);
  EXPECT_EQ(values.known(id, 0), first);
  EXPECT_EQ(values.size(), 1u);
}

} // namespace
