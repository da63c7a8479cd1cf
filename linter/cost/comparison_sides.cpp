#include "cost/comparison_sides.h"
#include "model/float_operation.h"

namespace warplint {

std::optional<Sides> sidesOf(const ExpressionGraph &graph, ValueId value) {
  const Node &node = graph.node(value);
  if (node.count < 2)
    return std::nullopt;
  Sides sides{graph.operand(value, 0), graph.operand(value, 1)};
  switch (node.op) {
  case Op::LessSigned:
  case Op::LessUnsigned:
  case Op::LessEqualSigned:
  case Op::LessEqualUnsigned:
    sides.isLess = true;
    return sides;
  case Op::Equal:
    return sides;
  case Op::NotEqual:
    sides.isLess = sides.isGreater = true;
    return sides;
  case Op::Opaque:
    break;
  default:
    return std::nullopt;
  }
  const auto operation = floatOperation(graph.text(value));
  if (!operation || operation->kind != FloatOperation::Kind::Compare ||
      operation->predicate.size() != 3) // "ord", "uno" are of the others
    return std::nullopt;
  const llvm::StringRef order = operation->predicate.drop_front();
  sides.isLess = order == "lt" || order == "le" || order == "ne";
  sides.isGreater = order == "gt" || order == "ge" || order == "ne";
  if (!sides.isLess && !sides.isGreater && order != "eq")
    return std::nullopt;
  return sides;
}

ValueId withoutConversions(const ExpressionGraph &graph, ValueId value) {
  while (true) {
    const Node &node = graph.node(value);
    const bool isResized = node.op == Op::SignExtend || node.op == Op::Resize;
    if (!isResized && node.op != Op::Opaque)
      return value;
    if (!isResized) {
      const auto operation = floatOperation(graph.text(value));
      if (!operation || operation->kind != FloatOperation::Kind::Resize)
        return value;
    }
    value = graph.operand(value, 0);
  }
}

} // namespace warplint
