// Whether a launch says how much there is to do.
#include "cost/launch_size.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class LaunchSize : public testing::Test, protected ModelBuilder {
protected:
  /// x[i] of a loop from the thread's number to `n`, by `step`.
  void sum(ValueId n, ValueId step) {
    auto [loop, i] = countedLoop(thread(), n, step);
    access(element(object("x"), i, 4), 4).loops = {loop};
  }
  Launched launched(std::optional<uint64_t> n) {
    Launched launch{{2, 1, 1}, {n}, {}};
    launch.place = {"/k.cu", 7, 3};
    return launch;
  }
};

TEST_F(LaunchSize, ALoopThatStepsByTheGridIsShared) {
  sum(number(4096), number(256));
  EXPECT_FALSE(sharesLoop(kernel));
  sum(number(4096), graph.special(Op::GridSize, 0, 64));
  EXPECT_TRUE(sharesLoop(kernel));
  EXPECT_FALSE(stepsByGrid(kernel, 0));
  EXPECT_TRUE(stepsByGrid(kernel, 1));
}

// A row for each thread: more threads can share it, wherever its end is read.
TEST_F(LaunchSize, ALoopOfEachThreadIsFound) {
  const uint64_t name = graph.node(argument("rows[i]")).number;
  const ValueId end =
      graph.make(Op::Loaded, 64, {element(object("rows"), thread(), 8)}, name);
  for (ValueId n : {number(16), end}) {
    auto [loop, i] = countedLoop(number(0), n, number(1));
    access(element(object("x"), i, 4), 4).loops = {loop};
  }
  const CostedKernel costs = costed(kernel);
  EXPECT_EQ(loopOfEachThread(costs, costs.shapes.front()), LoopId(1));
  sum(number(4096), number(256));
  const CostedKernel shared = costed(kernel);
  EXPECT_EQ(loopOfEachThread(shared, shared.shapes.front()), std::nullopt);
}

// Rounds of a hash: other SMs can take other threads, which each wait as long.
TEST_F(LaunchSize, AChainOfStepsCannotBeShared) {
  auto [loop, i] = countedLoop(number(0), number(4096), number(1));
  access(element(object("x"), i, 4), 4).loops = {loop};
  kernel.shapes = {{{256, 1, 1}, ShapeSource::Launch, {}}};
  kernel.shapes.front().grids = {2};
  kernel.shapes.front().launches = {launched(4096)};
  auto shareSaved = [&] {
    const CostedKernel costs = costed(kernel);
    const ShapeCosts &shape = costs.shapes.front();
    return timeOf(costs, shape).share(savedOnAllSms(costs, shape, 2));
  };
  EXPECT_GT(shareSaved(), 0.9);
  kernel.loops[loop].hasChain = true;
  EXPECT_LT(shareSaved(), 0.3);
  // A sum beside it: each thread may have a part.
  kernel.loops[loop].accumulators = 1;
  EXPECT_GT(shareSaved(), 0.9);
}

// A state in an array of the thread's is loaded before it is stored; a scratch
// array is filled first.
TEST_F(LaunchSize, AStateInALocalArrayIsAChain) {
  auto canShare = [&](Operation first, Operation second) {
    Kernel saved = kernel;
    auto [loop, i] = countedLoop(number(0), number(4096), number(1));
    for (Operation operation : {first, second}) {
      Access &local = access(element(object("state"), number(3), 4), 4);
      local.loops = {loop};
      local.space = Space::Local;
      local.operation = operation;
      local.array = 0;
    }
    kernel.arrays = {{}};
    const CostedKernel costs = costed(kernel);
    const bool result = canShareMore(costs, costs.shapes.front());
    kernel = saved;
    return result;
  };
  EXPECT_FALSE(canShare(Operation::Load, Operation::Store));
  EXPECT_TRUE(canShare(Operation::Store, Operation::Load));
}

// `if (i < n) for (j < n)`: each thread has the same loop, and more of them
// can share it. That they cover the elements was said of 16 full blocks.
TEST_F(LaunchSize, AConditionAroundALoopDoesNotCountIt) {
  const ValueId n = argument("n");
  auto [loop, j] = countedLoop(number(0), n, number(1));
  access(element(object("x"), j, 4), 4).loops = {loop};
  Loop &each = kernel.loops[loop];
  each.continues =
      graph.make(Op::And, 1, {is(Op::LessSigned, thread(), n), each.continues});
  const CostedKernel costs = costed(kernel);
  EXPECT_EQ(loopOfEachThread(costs, costs.shapes.front()), loop);
}

// `while (clock64() < end);`: more blocks would wait as long.
TEST_F(LaunchSize, AWaitIsNoWork) {
  const ValueId end = argument("end");
  auto [loop, i] = countedLoop(number(0), end, number(1));
  access(element(object("x"), i, 4), 4).loops = {loop};
  const CostedKernel counted = costed(kernel);
  EXPECT_TRUE(growsWithSizes(counted, counted.shapes.front()));
  kernel.loops[loop].continues = is(Op::LessSigned, varying(), end);
  const CostedKernel waits = costed(kernel);
  EXPECT_FALSE(growsWithSizes(waits, waits.shapes.front()));
  // A queue: each iteration takes an element and stores what it makes of it.
  Access &store = access(element(object("y"), i, 4), 4);
  store.operation = Operation::Store;
  store.loops = {loop};
  const CostedKernel queue = costed(kernel);
  EXPECT_TRUE(growsWithSizes(queue, queue.shapes.front()));
}

// Of 'argc > 1 ? atoi(argv[1]) : 1 << 24', one launch says how much.
TEST_F(LaunchSize, EachLaunchIsLookedAtByItself) {
  const uint64_t name = graph.node(argument("n")).number;
  const ValueId n =
      graph.make(Op::Parameter, 64, {graph.constant(0, 32)}, name);
  sum(n, number(512));
  kernel.shapes = {{{256, 1, 1}, ShapeSource::Launch, {}}};
  kernel.shapes.front().launches = {launched(std::nullopt), launched(1 << 24)};
  const CostedKernel costs = costed(kernel);
  const ShapeCosts &all = costs.shapes.front();
  const ShapeCosts open = ofLaunch(all, launched(std::nullopt)),
                   known = ofLaunch(all, launched(1 << 24));
  EXPECT_EQ(known.shape.grids, std::vector<uint64_t>{2});
  EXPECT_EQ(known.shape.place.line, 7u);
  EXPECT_TRUE(growsWithSizes(costs, open));
  EXPECT_FALSE(growsWithSizes(costs, known));
}

// Of a size from the command line with a default: which one is the share of?
TEST_F(LaunchSize, ALaunchIsToldByWhatItPassesAlone) {
  const uint64_t name = graph.node(argument("n")).number;
  const ValueId n =
      graph.make(Op::Parameter, 64, {graph.constant(0, 32)}, name);
  sum(n, number(512));
  const Launched byDefault = launched(4096), open = launched(std::nullopt);
  EXPECT_EQ(ownArguments(kernel, byDefault, {byDefault, open}),
            std::vector<std::string>{"n = 4096"});
  EXPECT_EQ(ownArguments(kernel, open, {byDefault, open}),
            std::vector<std::string>());
  EXPECT_EQ(ownArguments(kernel, byDefault, {byDefault, byDefault}),
            std::vector<std::string>());
}

// The last wave of one launch is no loss of a loop with a thousand launches.
TEST_F(LaunchSize, AStatementThatLaunchesSeveralGridsIsKnown) {
  const Launched two = launched(8), open{{}, {8}, {}};
  Launched four = launched(8), elsewhere = launched(8);
  four.grid = {4, 1, 1};
  elsewhere.grid = {4, 1, 1};
  elsewhere.place.line = 9;
  EXPECT_TRUE(launchesOtherGrids(2, {two, four}));
  EXPECT_FALSE(launchesOtherGrids(2, {two, elsewhere}));
  EXPECT_FALSE(launchesOtherGrids(3, {two, four}));
  Launched unknown = open;
  unknown.place = two.place;
  EXPECT_FALSE(launchesOtherGrids(2, {two, unknown}));
}

} // namespace
