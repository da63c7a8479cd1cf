#include "cost/split_index.h"
#include "cost/request.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

bool hasSplitIndex(const ExpressionGraph &graph, ValueId address) {
  auto isOfIndex = [&](ValueId id) {
    return !graph.walk(id, [&](ValueId part) {
      const Op op = graph.node(part).op;
      return op == Op::ThreadIndex || op == Op::BlockIndex || op == Op::Carried
                 ? ExpressionGraph::Walk::Stop
                 : ExpressionGraph::Walk::Into;
    });
  };
  // The quotient of `i * (i + 1) / 2` numbers the elements of a triangle.
  auto isOfProduct = [&](ValueId id) {
    return !graph.walk(id, [&](ValueId part) {
      return graph.node(part).op == Op::Multiply &&
                     llvm::all_of(graph.operands(part), isOfIndex)
                 ? ExpressionGraph::Walk::Stop
                 : ExpressionGraph::Walk::Into;
    });
  };
  llvm::SmallVector<std::pair<ValueId, uint64_t>> left{{address, 1}};
  llvm::DenseSet<ValueId> seen;
  while (!left.empty()) {
    const auto [id, scale] = left.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    const llvm::ArrayRef<ValueId> operands = graph.operands(id);
    switch (graph.node(id).op) {
    case Op::Add:
    case Op::Subtract:
    case Op::SignExtend:
    case Op::Resize:
    case Op::Final:
    case Op::Carried: // what it adds is no index by itself
      for (ValueId operand : operands)
        left.push_back({operand, scale});
      break;
    case Op::Multiply:
      for (unsigned i : {0, 1})
        if (const Node &factor = graph.node(operands[i]);
            factor.op == Op::Constant)
          left.push_back({operands[1 - i], scale * factor.number});
      break;
    case Op::ShiftLeft:
      if (const Node &bits = graph.node(operands[1]); bits.op == Op::Constant)
        left.push_back({operands[0], scale << bits.number});
      break;
    case Op::DivideSigned:
    case Op::DivideUnsigned:
    case Op::RemainderSigned:
    case Op::RemainderUnsigned:
      if (scale < sectorBytes && isOfIndex(operands[0]) &&
          !isOfProduct(operands[0]))
        return true;
      break;
    default:
      break;
    }
  }
  return false;
}

} // namespace warplint
