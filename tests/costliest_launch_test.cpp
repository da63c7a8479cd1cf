#include "cost/costliest_launch.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class CostliestLaunchTest : public testing::Test, protected ModelBuilder {
protected:
  /// `for (i = 0; i < n; ++i) a[threadIdx.x + i]`
  void accessInLoop() {
    const auto loop =
        countedLoop(number(0), graph.parameter(0, "n", 64), number(1));
    access(element(object("a"), add(thread(), loop.counter), 4), 4);
    kernel.accesses.back().loops = {loop.loop};
  }
  static KernelShape shapeOf(unsigned threads, std::vector<Launched> launches) {
    KernelShape shape;
    shape.shape = {threads, 1, 1};
    shape.launches = std::move(launches);
    return shape;
  }
  Launched firstOf(std::vector<Launched> launches) {
    std::vector shapes{shapeOf(256, std::move(launches))};
    costliestFirst(kernel, shapes);
    return shapes.front().launches.front();
  }
};

// The launch of the large grid decides, in whatever order a source has them.
TEST_F(CostliestLaunchTest, TheLaunchOfMoreWorkComesFirst) {
  access(element(object("a"), thread(), 4), 4);
  Launched small, large;
  small.grid = {16, 1, 1};
  large.grid = {4096, 1, 1};
  for (const auto &launches :
       {std::vector{small, large}, std::vector{large, small}})
    EXPECT_EQ(firstOf(launches).grid, large.grid);
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
  EXPECT_EQ(firstOf({unit, wide}).arguments, wide.arguments);
}

// A launch of one small block ahead of the large grid, of other blocks, would
// make all that the kernel pays look like nothing.
TEST_F(CostliestLaunchTest, TheBlocksOfTheLargeGridComeFirst) {
  access(element(object("a"), thread(), 4), 4);
  Launched small, large;
  small.grid = {1, 1, 1};
  large.grid = {4096, 1, 1};
  std::vector shapes{shapeOf(32, {small}), shapeOf(256, {large})};
  costliestFirst(kernel, shapes);
  EXPECT_EQ(shapes.front().shape.x, 256u);
}

// A test of one block ahead of the real launch, whose grid the run knows.
TEST_F(CostliestLaunchTest, AnUnknownGridIsLargerThanOneBlock) {
  access(element(object("a"), thread(), 4), 4);
  Launched small, open;
  small.grid = {1, 1, 1};
  EXPECT_EQ(firstOf({small, open}).grid, open.grid);
}

// Nor is it larger because nobody says how long its loops are.
TEST_F(CostliestLaunchTest, AnUnknownGridIsNoLargerThanALargeOne) {
  accessInLoop();
  Launched large, open;
  large.grid = {65536, 1, 1};
  large.arguments = {4};
  EXPECT_EQ(firstOf({large, open}).grid, large.grid);
}

// A sum whose few blocks have long loops is what its launch says.
TEST_F(CostliestLaunchTest, AnUnknownGridIsNoLargerThanLongLoops) {
  accessInLoop();
  Launched few, open;
  few.grid = {64, 1, 1};
  few.arguments = {4096};
  EXPECT_EQ(firstOf({few, open}).grid, few.grid);
}

// Nothing says which blocks of unknown grids are many.
TEST_F(CostliestLaunchTest, BlocksOfUnknownGridsStayInOrder) {
  access(element(object("a"), thread(), 4), 4);
  std::vector shapes{shapeOf(8, {Launched()}), shapeOf(256, {Launched()})};
  costliestFirst(kernel, shapes);
  EXPECT_EQ(shapes.front().shape.x, 8u);
}

} // namespace
