#include "cost/halved_range.h"
#include "cost/terms.h"

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// Returns true for a half of operand 0.
bool isHalf(const ExpressionGraph &graph, ValueId id) {
  const Node &node = graph.node(id);
  const bool isShift = node.op == Op::ShiftRightSigned ||
                       node.op == Op::ShiftRightUnsigned,
             isQuotient =
                 node.op == Op::DivideSigned || node.op == Op::DivideUnsigned;
  if (!isShift && !isQuotient)
    return false;
  const Node &by = graph.node(graph.operand(id, 1));
  return by.op == Op::Constant && by.number == (isShift ? 1 : 2);
}

} // namespace

std::optional<HalvedRange> halvedRange(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  auto isCarried = [&](ValueId id) {
    return graph.node(id).op == Op::Carried && graph.node(id).number == loop;
  };
  // A comparison of the ends says when the range is empty: what goes on with a
  // mean of two values is no search.
  auto areCompared = [&](ValueId one, ValueId other) {
    return !graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
      if (!isComparison(graph.node(id).op))
        return Walk::Into;
      auto isOn = [&](unsigned side, ValueId end) {
        return !graph.walk(graph.operand(id, side), [&](ValueId part) {
          return part == end           ? Walk::Stop
                 : isHalf(graph, part) ? Walk::Past
                                       : Walk::Into;
        });
      };
      auto isIn = [&](ValueId end) { return isOn(0, end) || isOn(1, end); };
      return isIn(one) && isIn(other) ? Walk::Stop : Walk::Past;
    });
  };
  std::optional<HalvedRange> found;
  auto takeIfMiddle = [&](ValueId id) {
    if (!isHalf(graph, id))
      return;
    Terms terms;
    addTerms(graph, graph.operand(id, 0), 1, terms);
    std::vector<ValueId> ends;
    for (const auto &[value, factor] : terms)
      if (isCarried(value) && std::abs(factor) == 1)
        ends.push_back(value);
    if (ends.size() == 2 && terms.size() == 2 && areCompared(ends[0], ends[1]))
      found = {graph.operand(ends[0], 0), graph.operand(ends[1], 0)};
  };
  graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
    if (found)
      return Walk::Stop;
    if (!isCarried(id))
      return Walk::Into;
    // What the next iteration goes on with.
    graph.walk(graph.operand(id, 1), [&](ValueId next) {
      takeIfMiddle(next);
      return found ? Walk::Stop : isCarried(next) ? Walk::Past : Walk::Into;
    });
    return found ? Walk::Stop : Walk::Past;
  });
  return found;
}

} // namespace warplint
