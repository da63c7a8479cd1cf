#include "cost/terms.h"
#include "llvm/Support/MathExtras.h"

namespace warplint {

void addTerms(const ExpressionGraph &graph, ValueId value, int64_t factor,
              Terms &terms) {
  const Node &node = graph.node(value);
  const llvm::ArrayRef<ValueId> operands = graph.operands(value);
  auto constantAt = [&](unsigned i) -> std::optional<int64_t> {
    const Node &operand = graph.node(operands[i]);
    if (operand.op != Op::Constant)
      return std::nullopt;
    return llvm::SignExtend64(operand.number, operand.bits);
  };
  switch (node.op) {
  case Op::Constant:
    return;
  case Op::SignExtend:
  case Op::Resize:
    return addTerms(graph, operands[0], factor, terms);
  case Op::Add:
  case Op::Subtract:
    addTerms(graph, operands[0], factor, terms);
    return addTerms(graph, operands[1], node.op == Op::Add ? factor : -factor,
                    terms);
  case Op::Multiply:
    for (unsigned i : {0u, 1u})
      if (auto constant = constantAt(i))
        return addTerms(graph, operands[1 - i], factor * *constant, terms);
    break;
  case Op::ShiftLeft:
    if (auto constant = constantAt(1); constant && *constant < 32)
      return addTerms(graph, operands[0], factor << *constant, terms);
    break;
  default:
    break;
  }
  if ((terms[value] += factor) == 0)
    terms.erase(value);
}

int64_t constantIn(const ExpressionGraph &graph, ValueId value) {
  const Node &node = graph.node(value);
  auto at = [&](unsigned i) {
    return constantIn(graph, graph.operand(value, i));
  };
  switch (node.op) {
  case Op::Constant:
    return llvm::SignExtend64(node.number, node.bits);
  case Op::SignExtend:
  case Op::Resize:
    return at(0);
  case Op::Add:
    return at(0) + at(1);
  case Op::Subtract:
    return at(0) - at(1);
  default:
    return 0;
  }
}

ValueId withoutResizing(const ExpressionGraph &graph, ValueId value) {
  while (graph.node(value).op == Op::Resize ||
         graph.node(value).op == Op::SignExtend)
    value = graph.operand(value, 0);
  return value;
}

llvm::SmallVector<ValueId> alternativesOf(const ExpressionGraph &graph,
                                          ValueId value) {
  const llvm::ArrayRef<ValueId> operands = graph.operands(value);
  llvm::SmallVector<ValueId> all;
  if (graph.node(value).op == Op::Select)
    all.assign(operands.begin() + 1, operands.end());
  else if (graph.node(value).op == Op::Join)
    for (size_t i = 0; i + 1 < operands.size(); i += 2)
      all.push_back(operands[i + 1]);
  return all;
}

llvm::ArrayRef<ValueId> valuesOfMinimum(const ExpressionGraph &graph,
                                        ValueId bound) {
  bound = withoutResizing(graph, bound);
  const Op op = graph.node(bound).op;
  const llvm::ArrayRef<ValueId> operands = graph.operands(bound);
  if (op == Op::MinSigned || op == Op::MinUnsigned)
    return operands;
  if (op != Op::Select)
    return {};
  const Op comparison = graph.node(operands[0]).op;
  const llvm::ArrayRef<ValueId> values = operands.drop_front();
  // `a < b ? b : a` is the largest.
  return isComparison(comparison) && comparison >= Op::LessSigned &&
                 graph.operands(operands[0]) == values
             ? values
             : llvm::ArrayRef<ValueId>();
}

bool dependsOn(const ExpressionGraph &graph, ValueId value,
               std::initializer_list<Op> ops) {
  return !graph.walk(value, [&](ValueId id) {
    return llvm::is_contained(ops, graph.node(id).op)
               ? ExpressionGraph::Walk::Stop
               : ExpressionGraph::Walk::Into;
  });
}

std::optional<ConstantSum> constantSum(const ExpressionGraph &graph,
                                       ValueId value) {
  const Op op = graph.node(value).op;
  if (op != Op::Add && op != Op::Subtract)
    return std::nullopt;
  ValueId rest = graph.operand(value, 0), constant = graph.operand(value, 1);
  if (op == Op::Add && graph.node(rest).op == Op::Constant)
    std::swap(rest, constant);
  const Node &node = graph.node(constant);
  if (node.op != Op::Constant || !node.bits)
    return std::nullopt;
  const int64_t number = llvm::SignExtend64(node.number, node.bits);
  return ConstantSum{rest, op == Op::Add ? number : -number};
}

std::optional<int64_t> constantStep(const ExpressionGraph &graph,
                                    ValueId counter) {
  const auto next = constantSum(graph, graph.operand(counter, 1));
  return next && next->value == counter ? std::optional(next->constant)
                                        : std::nullopt;
}

std::optional<int64_t> bytesOfStep(const ExpressionGraph &graph,
                                   ValueId address, LoopId loop) {
  const std::vector<uint64_t> &loops = graph.loopsOf();
  Terms terms;
  addTerms(graph, address, 1, terms);
  int64_t bytes = 0;
  for (const auto &[value, factor] : terms) {
    if (!(loops[value] & ExpressionGraph::loopBit(loop))) {
      // What is not followed may differ in each iteration.
      if (dependsOn(graph, value, {Op::Varying, Op::Forwarded}))
        return std::nullopt;
      continue;
    }
    const Node &node = graph.node(value);
    if (node.op != Op::Carried || node.number != loop)
      return std::nullopt;
    const std::optional<int64_t> step = constantStep(graph, value);
    if (!step)
      return std::nullopt;
    bytes += factor * *step;
  }
  return bytes;
}

} // namespace warplint
