#include "cost/shifted_values.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

/// Returns true if `next` is `value` moved by bits. A factor that is no small
/// one makes random numbers.
static bool isShifted(const ExpressionGraph &graph, ValueId next,
                      ValueId value) {
  constexpr uint64_t largestFactor = 16;
  const Op op = graph.node(next).op;
  auto operand = [&](unsigned i) { return graph.operand(next, i); };
  if (op == Op::Add)
    return operand(0) == value && operand(1) == value;
  const bool isShift = op == Op::ShiftLeft || op == Op::ShiftRightSigned ||
                       op == Op::ShiftRightUnsigned;
  const bool isProduct = op == Op::Multiply || op == Op::DivideSigned ||
                         op == Op::DivideUnsigned;
  if ((!isShift && !isProduct) || operand(0) != value)
    return false;
  const Node &by = graph.node(operand(1));
  return by.op == Op::Constant && by.number > (isShift ? 0 : 1) &&
         by.number <= largestFactor;
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
