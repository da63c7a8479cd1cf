#include "cost/shifted_values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace warplint {

/// Small ones: a factor that is none makes random numbers.
static bool isSmall(const ExpressionGraph &graph, ValueId value,
                    uint64_t least) {
  constexpr uint64_t largest = 16;
  const Node &node = graph.node(value);
  return node.op == Op::Constant && node.number >= least &&
         node.number <= largest;
}

/// Looks through what adds a small constant: of `(n + 1) / 2` and `2 * d + 1`.
static ValueId withoutConstant(const ExpressionGraph &graph, ValueId value) {
  return graph.node(value).op == Op::Add &&
                 isSmall(graph, graph.operand(value, 1), 0)
             ? graph.operand(value, 0)
             : value;
}

/// Returns true if `next` is `value` moved by bits.
static bool isShifted(const ExpressionGraph &graph, ValueId next,
                      ValueId value) {
  next = withoutConstant(graph, next);
  switch (graph.node(next).op) {
  case Op::Add:
    return graph.operand(next, 0) == graph.operand(next, 1) &&
           withoutConstant(graph, graph.operand(next, 0)) == value;
  case Op::ShiftLeft:
  case Op::ShiftRightSigned:
  case Op::ShiftRightUnsigned:
    return isSmall(graph, graph.operand(next, 1), 1) &&
           withoutConstant(graph, graph.operand(next, 0)) == value;
  case Op::Multiply:
  case Op::DivideSigned:
  case Op::DivideUnsigned:
    return isSmall(graph, graph.operand(next, 1), 2) &&
           withoutConstant(graph, graph.operand(next, 0)) == value;
  default:
    return false;
  }
}

bool shiftsAValue(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  return llvm::any_of(llvm::seq<ValueId>(0, graph.size()), [&](ValueId id) {
    const Node &node = graph.node(id);
    return node.op == Op::Carried && node.number == loop && node.bits > 1 &&
           !node.pointer && isShifted(graph, graph.operand(id, 1), id);
  });
}

} // namespace warplint
