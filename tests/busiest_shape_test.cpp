#include "cost/busiest_shape.h"
#include "cost/kernel_time.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// `if (mode == 0) a[i]; else b[i]`, in blocks of two sizes.
class BusiestShapeTest : public testing::Test, protected ModelBuilder {
protected:
  BusiestShapeTest() {
    const ValueId mode = graph.parameter(0, "mode", 32);
    const ValueId zero = graph.constant(0, 32);
    access(element(object("a"), thread(), 4), 4);
    kernel.accesses.back().guard = graph.make(Op::Equal, 1, {mode, zero});
    access(element(object("b"), thread(), 4), 4);
    kernel.accesses.back().guard = graph.make(Op::NotEqual, 1, {mode, zero});
    kernel.shapes = {shapeOf(32, 1, 0), shapeOf(256, 4096, 1)};
  }

  static KernelShape shapeOf(unsigned threads, uint64_t blocks, uint64_t mode) {
    Launched launch;
    launch.grid = {blocks, 1, 1};
    launch.arguments = {mode};
    KernelShape shape;
    shape.shape = {threads, 1, 1};
    shape.source = ShapeSource::Launch;
    shape.launches = {launch};
    shape.grids = {blocks};
    return shape;
  }
};

// What only a small launch executes is priced there: in the large one it costs
// nothing.
TEST_F(BusiestShapeTest, CodeIsOfTheLaunchThatExecutesIt) {
  const CostedKernel all = costed(kernel);
  EXPECT_EQ(busiestShape(all, kernel.accesses[0]).shape.shape.x, 32u);
  EXPECT_EQ(busiestShape(all, kernel.accesses[1]).shape.shape.x, 256u);
}

// Of code that both execute, the launch of more warps says what it costs.
TEST_F(BusiestShapeTest, CodeOfAllLaunchesIsOfTheLargeOne) {
  kernel.accesses[0].guard = kernel.accesses[1].guard = graph.constant(1, 1);
  const CostedKernel all = costed(kernel);
  EXPECT_EQ(busiestShape(all, kernel.accesses[0]).shape.shape.x, 256u);
  EXPECT_GT(executionsIn(all, all.shapes[1], kernel.accesses[0]),
            1000 * executionsIn(all, all.shapes[0], kernel.accesses[0]));
}

// Nobody knows how long the loops of the other launch are.
TEST_F(BusiestShapeTest, AnOpenLaunchTakesNoCodeFromAKnownOne) {
  kernel.accesses[0].guard = graph.constant(1, 1);
  kernel.shapes = {shapeOf(256, 64, 0), shapeOf(128, 1, 0)};
  kernel.shapes[1].launches[0].grid[0] = std::nullopt;
  kernel.shapes[1].grids = {};
  const CostedKernel all = costed(kernel);
  EXPECT_EQ(busiestShape(all, kernel.accesses[0]).shape.shape.x, 256u);
  // Of mode 1, and the known launch is of mode 0.
  kernel.shapes[1].launches[0].arguments = {1};
  const CostedKernel modes = costed(kernel);
  EXPECT_EQ(busiestShape(modes, kernel.accesses[1]).shape.shape.x, 128u);
}

// Nobody knows the other block: it says nothing of code that a known launch
// executes.
TEST_F(BusiestShapeTest, AnAssumedBlockHasTheCodeThatNoKnownLaunchExecutes) {
  kernel.shapes = {shapeOf(128, 4, 0), shapeOf(256, 1, 1)};
  kernel.shapes[1].launches[0].grid[0] = std::nullopt;
  kernel.shapes[1].grids = {};
  kernel.shapes[1].source = ShapeSource::Assumed;
  const CostedKernel all = costed(kernel);
  EXPECT_EQ(busiestShape(all, kernel.accesses[0]).shape.shape.x, 128u);
  EXPECT_EQ(busiestShape(all, kernel.accesses[1]).shape.shape.x, 256u);
  kernel.shapes[0].launches[0].grid[0] = std::nullopt;
  kernel.shapes[0].grids = {};
  kernel.shapes[1].launches[0].arguments = {0};
  const CostedKernel same = costed(kernel);
  EXPECT_EQ(busiestShape(same, kernel.accesses[0]).shape.shape.x, 128u);
}

/// The same blocks in two launches: of mode 1, and of mode 0 in line 30.
class ModesTest : public BusiestShapeTest {
protected:
  CostedKernel modes(std::optional<uint64_t> first,
                     std::optional<uint64_t> other, uint64_t otherMode = 0) {
    KernelShape both = shapeOf(256, 1, 1);
    both.launches.push_back(both.launches.front());
    both.launches[0].grid[0] = first;
    both.launches[1].grid[0] = other;
    both.launches[1].arguments = {otherMode};
    both.launches[1].place = {"/k.cu", 30, 3};
    both.grids = {};
    if (first && other)
      both.grids = {std::min(*first, *other), std::max(*first, *other)};
    kernel.shapes = {both};
    return costed(kernel);
  }
};

// The costliest launch does not take every branch: what it never executes is
// priced in the one that does, with its own grid.
TEST_F(ModesTest, CodeIsOfTheLaunchThatTakesItsBranch) {
  const CostedKernel all = modes(4096, 64);
  EXPECT_EQ(&busiestShape(all, kernel.accesses[1]), &all.shapes.front());
  const ShapeCosts &other = busiestShape(all, kernel.accesses[0]);
  EXPECT_EQ(other.shape.place.line, 30u);
  EXPECT_EQ(timeOf(all, other).frequencies().warps(), 64 * 8);
  EXPECT_EQ(&executingLaunch(all, all.shapes.front(), kernel.accesses[0]),
            &other);
}

TEST_F(ModesTest, GridsThatOnlyTheRunKnowsAreNoObstacle) {
  const CostedKernel all = modes(std::nullopt, std::nullopt);
  EXPECT_EQ(busiestShape(all, kernel.accesses[0]).shape.place.line, 30u);
}

// What one block executes is not the work of a test launch of few blocks.
TEST_F(ModesTest, CodeOfOneBlockStaysInItsLaunch) {
  const ValueId block = graph.special(Op::BlockIndex, 0, 64);
  kernel.accesses[0].guard = is(Op::Equal, block, number(0));
  const CostedKernel all = modes(65536, 2);
  EXPECT_EQ(&busiestShape(all, kernel.accesses[0]), &all.shapes.front());
}

// Inside a loop the condition around it stands at its entry.
TEST_F(ModesTest, CodeInALoopIsOfTheLaunchThatEntersIt) {
  const auto loop = countedLoop(0, 16);
  kernel.loops[loop.loop].enters = kernel.accesses[0].guard;
  kernel.accesses[0].guard = graph.constant(1, 1);
  kernel.accesses[0].loops = {loop.loop};
  const CostedKernel all = modes(4096, 64);
  EXPECT_EQ(busiestShape(all, kernel.accesses[0]).shape.place.line, 30u);
}

// What holds in one launch alone is lost among the figures of all.
TEST_F(ModesTest, TheLaunchThatLosesMostIsAskedAlone) {
  kernel.accesses[1].guard = graph.constant(1, 1);
  const CostedKernel all = modes(4096, 64);
  auto losing = [&](const Access &access, double first, double other) {
    const ShapeCosts *worst =
        worstLaunch(all, access, [&](const ShapeCosts &alone) {
          EXPECT_EQ(alone.shape.launches.size(), 1u);
          return alone.shape.place.line == 30 ? other : first;
        });
    return worst ? int(worst->shape.place.line) : -1;
  };
  EXPECT_EQ(losing(kernel.accesses[1], 1, 100), 30); // of 64 blocks, not 4096
  EXPECT_EQ(losing(kernel.accesses[1], 1, 2), 0);
  EXPECT_EQ(losing(kernel.accesses[1], 0, 0), -1);
  EXPECT_EQ(losing(kernel.accesses[0], 100, 1), 30); // the first is shut out
}

TEST_F(ModesTest, EachModeHasItsBusiestShape) {
  const CostedKernel all = modes(4096, 64);
  EXPECT_EQ(busiestShapes(all, {0u, 1u, 0u}).size(), 2u);
  EXPECT_EQ(busiestShapes(all, {}).front(), &all.shapes.front());
}

TEST_F(ModesTest, WhatNoLaunchExecutesStaysInTheFirst) {
  const CostedKernel all = modes(64, 4096, 1);
  EXPECT_EQ(&busiestShape(all, kernel.accesses[0]), &all.shapes.front());
}

} // namespace
