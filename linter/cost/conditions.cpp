#include "cost/conditions.h"
#include "cost/loop_bound.h"

namespace warplint {

bool dependsOnData(const Kernel &kernel, ValueId value) {
  using Walk = ExpressionGraph::Walk;
  return !kernel.graph.walk(value, [&](ValueId id) {
    const Op op = kernel.graph.node(id).op;
    return op == Op::Varying           ? Walk::Stop
           : op != Op::Loaded          ? Walk::Into
           : isOfArguments(kernel, id) ? Walk::Past
                                       : Walk::Stop;
  });
}

bool isLinear(Op op) {
  return op == Op::Add || op == Op::Subtract || op == Op::Multiply ||
         op == Op::ShiftLeft || op == Op::SignExtend || op == Op::Resize;
}

void addConditions(const ExpressionGraph &graph, ValueId value,
                   std::vector<ValueId> &conditions) {
  const Node &node = graph.node(value);
  llvm::ArrayRef<ValueId> parts = graph.operands(value);
  auto isNever = [&](ValueId part) {
    const Node &constant = graph.node(part);
    return constant.op == Op::Constant && !constant.number;
  };
  llvm::ArrayRef<ValueId> all;
  if (node.bits == 1 &&
      (node.op == Op::And || (node.op == Op::Select && isNever(parts[2]))))
    all = parts.take_front(2);
  // A variable that is false on all paths but one.
  if (node.bits == 1 && node.op == Op::Join)
    for (size_t i = 0; i + 1 < parts.size(); i += 2) {
      if (isNever(parts[i + 1]))
        continue;
      if (!all.empty()) {
        all = {};
        break;
      }
      all = parts.slice(i, 2); // its condition and its value
    }
  if (all.empty())
    conditions.push_back(value);
  for (ValueId part : all)
    addConditions(graph, part, conditions);
}

Truth truthOfParts(const ExpressionGraph &graph, ValueId condition,
                   llvm::function_ref<Truth(ValueId)> truthOf) {
  const Node &node = graph.node(condition);
  const llvm::ArrayRef<ValueId> parts = graph.operands(condition);
  if (node.bits != 1)
    return Truth::Maybe;
  if (node.op == Op::Xor && graph.isConstant(parts.back(), 1)) {
    const Truth other = truthOf(parts[0]);
    return other == Truth::Maybe ? other
           : other == Truth::No  ? Truth::Yes
                                 : Truth::No;
  }
  if (node.op != Op::And && node.op != Op::Or)
    return Truth::Maybe;
  const Truth decides = node.op == Op::And ? Truth::No : Truth::Yes;
  Truth all = node.op == Op::And ? Truth::Yes : Truth::No;
  for (ValueId part : parts) {
    const Truth one = truthOf(part);
    if (one == decides)
      return one;
    if (one == Truth::Maybe)
      all = one;
  }
  return all;
}

std::vector<ValueId> withEntries(const ExpressionGraph &graph, LoopId loop,
                                 llvm::ArrayRef<ValueId> conditions) {
  std::vector<ValueId> all(conditions);
  for (size_t i = 0; i < all.size(); ++i)
    if (const Node &node = graph.node(all[i]);
        node.op == Op::Carried && node.number != loop && node.count == 2)
      addConditions(graph, graph.operand(all[i], 0), all);
  return all;
}

} // namespace warplint
