#include "cost/costliest_launch.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class CostliestLaunchTest : public testing::Test, protected ModelBuilder {};

// The launch of the large grid decides, in whatever order a source has them.
TEST_F(CostliestLaunchTest, TheLaunchOfMoreWorkComesFirst) {
  access(element(object("a"), thread(), 4), 4);
  Launched small, large;
  small.grid = {16, 1, 1};
  large.grid = {4096, 1, 1};
  for (const auto &launches :
       {std::vector{small, large}, std::vector{large, small}})
    EXPECT_EQ(costliestFirst(kernel, {256, 1, 1}, launches).front().grid,
              large.grid);
}

// Of two grids alike, the one with a stride of 1024 bytes.
TEST_F(CostliestLaunchTest, TheLaunchOfTheWiderStrideComesFirst) {
  const ValueId stride = graph.parameter(0, "stride", 64);
  access(
      element(object("a"), graph.make(Op::Multiply, 64, {thread(), stride}), 4),
      4);
  Launched unit, wide;
  unit.grid = wide.grid = {64, 1, 1};
  unit.arguments = {1};
  wide.arguments = {256};
  EXPECT_EQ(costliestFirst(kernel, {256, 1, 1}, {unit, wide}).front().arguments,
            wide.arguments);
}

} // namespace
