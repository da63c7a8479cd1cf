#include "cost/block_conditions.h"
#include "cost/conditions.h"
#include "cost/terms.h"

namespace warplint {

namespace {

/// Returns true if not all blocks get the same answer from a condition, as far
/// as it says; what data decide is the same for all. Leaves out the nodes in
/// `same`; if it returns false, it has added the nodes that it visited.
bool differsByBlock(const ExpressionGraph &graph, ValueId condition,
                    llvm::DenseSet<ValueId> &same) {
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(condition, same, [&](ValueId id) {
    const Op op = graph.node(id).op;
    return op == Op::BlockIndex ? Walk::Stop
           : op == Op::Loaded   ? Walk::Past
                                : Walk::Into;
  });
}

/// Returns true if a value grows with the index of the block, as far as its
/// operations say: a remainder, a quotient or a mask repeats itself.
bool growsWithBlock(const ExpressionGraph &graph, ValueId value) {
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(value, [&](ValueId id) {
    const Op op = graph.node(id).op;
    if (op == Op::BlockIndex)
      return Walk::Stop;
    // Carried: of a loop that steps by the whole grid.
    return isLinear(op) || op == Op::Carried ? Walk::Into : Walk::Past;
  });
}

} // namespace

bool differsByBlock(const ExpressionGraph &graph, ValueId condition) {
  llvm::DenseSet<ValueId> same;
  return differsByBlock(graph, condition, same);
}

bool hasGridBound(const ExpressionGraph &graph, ValueId condition) {
  using Walk = ExpressionGraph::Walk;
  // The comparisons of one condition have most of their operands in common.
  llvm::DenseSet<ValueId> same;
  return !graph.walk(condition, [&](ValueId id) {
    const Op op = graph.node(id).op;
    if (op == Op::Loaded || same.contains(id))
      return Walk::Past;
    const bool isOrder =
        isComparison(op) && op != Op::Equal && op != Op::NotEqual;
    if (!isOrder)
      return Walk::Into;
    return differsByBlock(graph, id, same) ? Walk::Stop : Walk::Past;
  });
}

bool isOfEdge(const ExpressionGraph &graph, ValueId condition) {
  const Node &node = graph.node(condition);
  auto operand = [&](unsigned i) { return graph.operand(condition, i); };
  if (node.op == Op::And && node.bits == 1)
    return isOfEdge(graph, operand(0)) || isOfEdge(graph, operand(1));
  return node.op == Op::Equal &&
         growsWithBlock(graph, operand(0)) != growsWithBlock(graph, operand(1));
}

std::vector<ValueId> blockDivisors(const ExpressionGraph &graph,
                                   ValueId condition,
                                   llvm::DenseSet<ValueId> &seen) {
  using Walk = ExpressionGraph::Walk;
  std::vector<ValueId> sizes;
  graph.walk(condition, seen, [&](ValueId id) {
    const Op op = graph.node(id).op;
    if (op == Op::Loaded || hasGridBound(graph, id))
      return Walk::Past;
    if ((op == Op::DivideSigned || op == Op::DivideUnsigned ||
         op == Op::RemainderSigned || op == Op::RemainderUnsigned) &&
        differsByBlock(graph, graph.operand(id, 0))) {
      const ValueId size = withoutResizing(graph, graph.operand(id, 1));
      const Op kind = graph.node(size).op;
      if (kind == Op::Parameter || kind == Op::Loaded)
        sizes.push_back(size);
    }
    return Walk::Into;
  });
  return sizes;
}

} // namespace warplint
