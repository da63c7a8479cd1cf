#include "cost/shifted_values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"
#include <optional>

namespace warplint {

namespace {

/// An operation on a value and a constant, which may come first.
struct ByConstant {
  Op op;
  ValueId value;
  uint64_t constant;
};

/// A constant above 16 is none: it may fill all bits.
std::optional<ByConstant> byConstant(const ExpressionGraph &graph,
                                     ValueId value) {
  constexpr uint64_t largest = 16;
  const llvm::ArrayRef<ValueId> operands = graph.operands(value);
  if (operands.size() != 2)
    return std::nullopt;
  const Op op = graph.node(value).op;
  const bool isEither = op == Op::Add || op == Op::Or || op == Op::Multiply;
  for (unsigned at : {1, 0})
    if (const Node &node = graph.node(operands[at]);
        node.op == Op::Constant && node.number <= largest && (at || isEither))
      return ByConstant{op, operands[1 - at], node.number};
  return std::nullopt;
}

/// Looks through what adds a small constant: of `(n + 1) / 2` and `2 * d + 1`,
/// which LLVM writes as `2 * d | 1`.
ValueId withoutConstant(const ExpressionGraph &graph, ValueId value) {
  const auto sum = byConstant(graph, value);
  return sum && (sum->op == Op::Add || sum->op == Op::Or) ? sum->value : value;
}

/// Returns true if `next` is `value` moved by bits.
bool isShifted(const ExpressionGraph &graph, ValueId next, ValueId value) {
  next = withoutConstant(graph, next);
  if (graph.node(next).op == Op::Add &&
      graph.operand(next, 0) == graph.operand(next, 1))
    return withoutConstant(graph, graph.operand(next, 0)) == value;
  const auto moved = byConstant(graph, next);
  if (!moved || withoutConstant(graph, moved->value) != value)
    return false;
  switch (moved->op) {
  case Op::ShiftLeft:
  case Op::ShiftRightSigned:
  case Op::ShiftRightUnsigned:
    return moved->constant > 0;
  case Op::Multiply:
  case Op::DivideSigned:
  case Op::DivideUnsigned:
    // Others make random numbers: of `s = 5 * s + 1` no bit gets lost.
    return moved->constant > 1 && llvm::has_single_bit(moved->constant);
  default:
    return false;
  }
}

} // namespace

bool shiftsAValue(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  return llvm::any_of(llvm::seq<ValueId>(0, graph.size()), [&](ValueId id) {
    const Node &node = graph.node(id);
    return node.op == Op::Carried && node.number == loop && node.bits > 1 &&
           !node.pointer && isShifted(graph, graph.operand(id, 1), id);
  });
}

} // namespace warplint
