#include "cost/open_lanes.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class OpenLanesTest : public testing::Test, protected WarpBuilder {
protected:
  bool isOpen(ValueId condition) {
    Evaluation evaluation(kernel);
    Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
    return hasOpenTerm(graph, warp, condition);
  }
  bool isOfData(ValueId condition) {
    Evaluation evaluation(kernel);
    Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
    warp.doubt();
    return hasDataTerm(graph, warp, condition);
  }
};

// `i < n` cuts a warp at the end of the data; `flag != 0` keeps all lanes or
// none, and `i < 16` the same ones always.
TEST_F(OpenLanesTest, AComparisonOfAnIndexWithASizeMayLeaveSomeLanes) {
  const ValueId end = is(Op::LessSigned, thread(), argument("n"));
  EXPECT_TRUE(isOpen(end));
  EXPECT_TRUE(isOpen(graph.both(flag("f"), end)));
  EXPECT_FALSE(isOpen(is(Op::NotEqual, argument("flag"), number(0))));
  EXPECT_FALSE(isOpen(is(Op::LessSigned, thread(), number(16))));
}

// `mask[i] > 0` keeps lanes that nobody knows.
TEST_F(OpenLanesTest, DataThatDifferByLaneMayLeaveSomeLanes) {
  const ValueId data = is(Op::LessSigned, number(0), varying());
  EXPECT_TRUE(isOfData(graph.both(data, flag("f"))));
  EXPECT_FALSE(isOfData(flag("f")));
}

TEST_F(OpenLanesTest, TheDataInAConditionAreNamed) {
  const ValueId mask = varying("mask[i]"),
                mode = is(Op::NotEqual, argument("mode"), number(0));
  const ValueId condition =
      graph.both(mode, is(Op::LessSigned, number(0), mask));
  Evaluation evaluation(kernel);
  Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
  llvm::DenseSet<ValueId> without;
  EXPECT_EQ(dataInTerm(graph, warp, condition, allLanes, without), mask);
  EXPECT_EQ(dataInTerm(graph, warp, mode, allLanes, without), std::nullopt);
}

// Each condition of a chain of `else if` has all those before it in it.
TEST_F(OpenLanesTest, WhatHasNoDataIsSearchedOnce) {
  const ValueId mode = is(Op::NotEqual, argument("mode"), number(0));
  const ValueId data = is(Op::LessSigned, number(0), varying("mask[i]"));
  Evaluation evaluation(kernel);
  Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
  llvm::DenseSet<ValueId> without;
  EXPECT_EQ(dataInTerm(graph, warp, mode, allLanes, without), std::nullopt);
  EXPECT_TRUE(without.contains(mode));
  for ([[maybe_unused]] int again : {0, 1})
    EXPECT_TRUE(
        dataInTerm(graph, warp, graph.both(mode, data), allLanes, without));
  EXPECT_FALSE(without.contains(data));
}

// `ends[(low + high) / 2]`: its first place is far from the neighbour's, the
// others are wherever data lead, and nothing coalesces them.
TEST_F(OpenLanesTest, WhatASearchReadsIsUnknownAfterItsFirstPlace) {
  ValueId a = object("a");
  const LoopId id = 0;
  const ValueId low = graph.carried(id, 64, false);
  const ValueId found = graph.loaded(element(a, low, 4), "a[low]", 64, false);
  graph.setCarried(low, thread(),
                   graph.make(Op::Select, 64,
                              {is(Op::LessUnsigned, found, number(7)),
                               add(low, number(1)), low}));
  Loop loop;
  loop.enters = graph.always();
  loop.continues = is(Op::LessUnsigned, add(low, argument("n")), number(3));
  kernel.loops.push_back(loop);
  access(element(a, low, 4), 4).loops = {id};
  Evaluation evaluation(kernel);
  Warp warp(evaluation, {32, 1, 1}, 0, 0, 0);
  EXPECT_TRUE(dataInNext(kernel, warp, kernel.accesses[0], {}, allLanes));
  EXPECT_EQ(cost().basis, Basis::Unknown);
  // A loop that constants end has no next iteration.
  kernel.loops[id].continues = graph.never();
  EXPECT_FALSE(dataInNext(kernel, warp, kernel.accesses[0], {}, allLanes));
  EXPECT_EQ(cost().basis, Basis::Exact);
}

} // namespace
