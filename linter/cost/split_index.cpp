#include "cost/split_index.h"
#include "cost/request.h"
#include "cost/terms.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
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
  // The remainder of `i * n` steps as far as that, until it wraps.
  auto isOfNeighbours = [&](ValueId id, int64_t scale) {
    const Op op = graph.node(id).op;
    if (op == Op::DivideSigned || op == Op::DivideUnsigned)
      return true;
    Terms terms;
    addTerms(graph, graph.operands(id)[0], scale, terms);
    return llvm::any_of(terms, [&](const auto &term) {
      return isOfIndex(term.first) &&
             graph.node(term.first).op != Op::Multiply &&
             std::abs(term.second) < int64_t(sectorBytes);
    });
  };
  // Of `a[i % n * (n + 1)]`, a diagonal, each term alone steps to a neighbour
  // or moves by a row; what counts is their sum.
  llvm::MapVector<ValueId, int64_t> splits;
  llvm::DenseSet<ValueId> inRows;
  llvm::SmallVector<std::pair<ValueId, int64_t>> left{{address, 1}};
  llvm::DenseSet<std::pair<ValueId, int64_t>> seen;
  while (!left.empty()) {
    const auto [id, scale] = left.pop_back_val();
    // `i = i * 9 + x` has a scale of its own in each iteration.
    const bool isCarried = graph.node(id).op == Op::Carried;
    if (!seen.insert({id, isCarried ? 0 : scale}).second)
      continue;
    const llvm::ArrayRef<ValueId> operands = graph.operands(id);
    switch (graph.node(id).op) {
    case Op::Subtract:
      left.push_back({operands[0], scale});
      left.push_back({operands[1], -scale});
      break;
    case Op::Add:
    case Op::SignExtend:
    case Op::Resize:
    case Op::Final:
    case Op::Carried: // what it adds is no index by itself
      for (ValueId operand : operands)
        left.push_back({operand, scale});
      break;
    case Op::Multiply:
      if (const unsigned i = graph.node(operands[0]).op == Op::Constant ? 0 : 1;
          graph.node(operands[i]).op == Op::Constant)
        left.push_back(
            {operands[1 - i],
             int64_t(uint64_t(scale) * graph.node(operands[i]).number)});
      else
        for (ValueId operand : operands)
          inRows.insert(withoutResizing(graph, operand));
      break;
    case Op::ShiftLeft:
      if (const Node &bits = graph.node(operands[1]); bits.op == Op::Constant)
        left.push_back({operands[0], int64_t(uint64_t(scale) << bits.number)});
      break;
    case Op::DivideSigned:
    case Op::DivideUnsigned:
    case Op::RemainderSigned:
    case Op::RemainderUnsigned:
      splits[id] += scale;
      break;
    default:
      break;
    }
  }
  return llvm::any_of(splits, [&](const auto &split) {
    const auto [id, scale] = split;
    const ValueId index = graph.operands(id)[0];
    return std::abs(scale) < int64_t(sectorBytes) && !inRows.contains(id) &&
           isOfIndex(index) && !isOfProduct(index) && isOfNeighbours(id, scale);
  });
}

} // namespace warplint
