#include "model/expression.h"
#include <gtest/gtest.h>
#include <optional>
#include <vector>

using namespace warplint;

// A kernel reads the same index in many places; a graph that grew with each of
// them would not fit the evaluation's budget.
TEST(Expression, EqualNodesAreOneNode) {
  ExpressionGraph graph;
  ValueId x = graph.special(Op::ThreadIndex, 0),
          y = graph.special(Op::ThreadIndex, 1);
  EXPECT_EQ(graph.make(Op::Xor, 32, {x, y}), graph.make(Op::Xor, 32, {x, y}));
  EXPECT_NE(graph.make(Op::Xor, 32, {x, y}), graph.make(Op::Xor, 32, {y, x}));
  EXPECT_NE(graph.make(Op::Xor, 32, {x, y}), graph.make(Op::Xor, 16, {x, y}));
  EXPECT_NE(graph.special(Op::ThreadIndex, 0),
            graph.special(Op::BlockIndex, 0));
  EXPECT_EQ(graph.unknown(Op::Parameter, "n", 32, false),
            graph.unknown(Op::Parameter, "n", 32, false));
  EXPECT_NE(graph.unknown(Op::Parameter, "n", 32, false),
            graph.unknown(Op::Parameter, "m", 32, false));
}

// Two counters that look alike are two counters.
TEST(Expression, CarriedNodesAreNeverShared) {
  ExpressionGraph graph;
  EXPECT_NE(graph.carried(0, 32, false), graph.carried(0, 32, false));
}

TEST(Expression, ConstantsWrapAtTheirWidth) {
  ExpressionGraph graph;
  EXPECT_EQ(graph.constant(~uint64_t(0), 32), graph.constant(0xffffffff, 32));
  EXPECT_EQ(graph.node(graph.constant(300, 8)).number, 44u);
  EXPECT_EQ(graph.node(graph.constant(~uint64_t(0), 64)).number, ~uint64_t(0));
}

TEST(Expression, ConstantOperationsAreFolded) {
  ExpressionGraph graph;
  ValueId x = graph.special(Op::ThreadIndex, 0);
  ValueId zero = graph.constant(0, 32), one = graph.constant(1, 32);
  EXPECT_EQ(graph.make(Op::Add, 32, {x, zero}), x);
  EXPECT_EQ(graph.make(Op::Add, 32, {zero, x}), x);
  EXPECT_EQ(graph.make(Op::Multiply, 32, {x, one}), x);
  EXPECT_EQ(graph.make(Op::Add, 32, {one, one}), graph.constant(2, 32));
  ValueId large = graph.constant(0xffffffff, 32);
  EXPECT_EQ(graph.make(Op::Add, 32, {large, one}), zero);
  EXPECT_EQ(graph.make(Op::Resize, 8, {graph.constant(0x1ff, 32)}),
            graph.constant(0xff, 8));
  EXPECT_EQ(graph.make(Op::Resize, 32, {x}), x);
}

// A zero that is extended from another width is a zero of its own width.
TEST(Expression, FoldedConstantsHaveTheResultWidth) {
  ExpressionGraph graph;
  ValueId wide = graph.make(Op::Resize, 64, {graph.constant(7, 8)});
  EXPECT_EQ(graph.node(wide).op, Op::Constant);
  EXPECT_EQ(graph.node(wide).bits, 64);
}

TEST(Expression, ConditionsAreSimplified) {
  ExpressionGraph graph;
  ValueId a = graph.unknown(Op::Uniform, "a", 1, false);
  ValueId b = graph.unknown(Op::Uniform, "b", 1, false);
  EXPECT_EQ(graph.both(a, graph.always()), a);
  EXPECT_EQ(graph.both(graph.always(), a), a);
  EXPECT_EQ(graph.both(a, graph.never()), graph.never());
  EXPECT_EQ(graph.both(a, a), a);
  EXPECT_EQ(graph.either(a, graph.never()), a);
  EXPECT_EQ(graph.either(a, graph.always()), graph.always());
  EXPECT_EQ(graph.either(a, a), a);
  EXPECT_EQ(graph.node(graph.both(a, b)).op, Op::And);
  EXPECT_EQ(graph.node(graph.either(a, b)).op, Op::Or);
  EXPECT_EQ(graph.negated(graph.always()), graph.never());
  EXPECT_EQ(graph.negated(graph.never()), graph.always());
  EXPECT_EQ(graph.node(graph.negated(a)).op, Op::Xor);
}

// A carried value depends on the iteration, and so does everything computed
// from it; a loop's result does not.
TEST(Expression, ListsTheLoopsThatAValueDependsOn) {
  ExpressionGraph graph;
  ValueId outer = graph.carried(0, 32, false),
          inner = graph.carried(1, 32, false);
  ValueId one = graph.constant(1, 32);
  graph.setCarried(outer, one, graph.make(Op::Add, 32, {outer, one}));
  graph.setCarried(inner, outer, graph.make(Op::Add, 32, {inner, one}));
  ValueId both = graph.make(Op::Multiply, 32, {outer, inner});
  ValueId left = graph.make(Op::Final, 32, {both}, 1);
  std::vector<uint64_t> loops = graph.loopsOf();
  EXPECT_EQ(loops[one], 0u);
  EXPECT_EQ(loops[outer], 1u);
  EXPECT_EQ(loops[inner], 3u);
  EXPECT_EQ(loops[both], 3u);
  EXPECT_EQ(loops[left], 1u);
}

// Loops beyond the 63rd share a bit, which leaving one of them does not clear.
TEST(Expression, ManyLoopsAreStillListed) {
  ExpressionGraph graph;
  ValueId one = graph.constant(1, 32);
  ValueId late = graph.carried(70, 32, false),
          later = graph.carried(80, 32, false);
  graph.setCarried(late, one, one);
  graph.setCarried(later, late, one);
  ValueId left = graph.make(Op::Final, 32, {later}, 80);
  std::vector<uint64_t> loops = graph.loopsOf();
  EXPECT_EQ(loops[late], ExpressionGraph::loopBit(100));
  EXPECT_EQ(loops[left], ExpressionGraph::loopBit(70));
}

namespace {

using Walk = ExpressionGraph::Walk;

/// Returns what `walk` visits from `root`, where no visit goes past a node of
/// `past`.
std::vector<ValueId> visited(const ExpressionGraph &graph, ValueId root,
                             std::optional<Op> past = std::nullopt) {
  std::vector<ValueId> order;
  EXPECT_TRUE(graph.walk(root, [&](ValueId id) {
    order.push_back(id);
    return past == graph.node(id).op ? Walk::Past : Walk::Into;
  }));
  return order;
}

} // namespace

// Messages name the first value that a walk meets: its order is part of what
// users see.
TEST(Expression, WalkVisitsEachNodeOnceTheLastOperandFirst) {
  ExpressionGraph graph;
  ValueId x = graph.special(Op::ThreadIndex, 0),
          y = graph.special(Op::ThreadIndex, 1);
  ValueId product = graph.make(Op::Multiply, 32, {x, y});
  ValueId sum = graph.make(Op::Add, 32, {x, product});
  EXPECT_EQ(visited(graph, sum), (std::vector{sum, product, y, x}));
}

TEST(Expression, WalkLeavesOutTheOperandsOfANodeThatItGoesPast) {
  ExpressionGraph graph;
  ValueId x = graph.special(Op::ThreadIndex, 0),
          y = graph.special(Op::ThreadIndex, 1);
  ValueId product = graph.make(Op::Multiply, 32, {x, y});
  ValueId sum = graph.make(Op::Add, 32, {x, product});
  EXPECT_EQ(visited(graph, sum, Op::Multiply), (std::vector{sum, product, x}));
}

// A loop's counter is computed from itself.
TEST(Expression, WalkEndsInACycle) {
  ExpressionGraph graph;
  ValueId zero = graph.constant(0, 32), one = graph.constant(1, 32);
  ValueId counter = graph.carried(0, 32, false);
  ValueId next = graph.make(Op::Add, 32, {counter, one});
  graph.setCarried(counter, zero, next);
  EXPECT_EQ(visited(graph, counter), (std::vector{counter, next, one, zero}));
}

TEST(Expression, WalkStopsWhereAVisitSaysSo) {
  ExpressionGraph graph;
  ValueId x = graph.special(Op::ThreadIndex, 0),
          y = graph.special(Op::ThreadIndex, 1);
  ValueId sum = graph.make(Op::Add, 32, {x, y});
  unsigned visits = 0;
  EXPECT_FALSE(graph.walk(sum, [&](ValueId id) {
    ++visits;
    return id == y ? Walk::Stop : Walk::Into;
  }));
  EXPECT_EQ(visits, 2u);
}

TEST(Expression, WalksThatShareWhatTheyHaveSeenVisitItOnce) {
  ExpressionGraph graph;
  ValueId x = graph.special(Op::ThreadIndex, 0);
  ValueId twice = graph.make(Op::Add, 32, {x, x});
  ValueId square = graph.make(Op::Multiply, 32, {x, x});
  llvm::DenseSet<ValueId> seen;
  std::vector<ValueId> order;
  for (ValueId root : {twice, square})
    graph.walk(root, seen, [&](ValueId id) {
      order.push_back(id);
      return Walk::Into;
    });
  EXPECT_EQ(order, (std::vector{twice, x, square}));
}

// A visit asks of what it meets whether that depends on a thread, and so on.
TEST(Expression, AWalkInsideOfAWalkVisitsAllOfItsOwn) {
  ExpressionGraph graph;
  ValueId x = graph.special(Op::ThreadIndex, 0),
          y = graph.special(Op::ThreadIndex, 1);
  ValueId sum = graph.make(Op::Add, 32, {x, y});
  std::vector<unsigned> inner;
  for (int again = 0; again < 2; ++again)
    graph.walk(sum, [&](ValueId id) {
      inner.push_back(0);
      graph.walk(id, [&](ValueId) {
        ++inner.back();
        return Walk::Into;
      });
      return Walk::Into;
    });
  EXPECT_EQ(inner, (std::vector{3u, 1u, 1u, 3u, 1u, 1u}));
}
