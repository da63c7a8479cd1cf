#include "cost/sampled_access.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

bool dependsOnData(const Kernel &kernel, const Access &access) {
  llvm::SmallVector<ValueId, 4> values{access.address, access.guard};
  for (LoopId loop : access.loops)
    llvm::append_values(values, kernel.loops[loop].enters,
                        kernel.loops[loop].continues);
  llvm::DenseSet<ValueId> seen;
  using Walk = ExpressionGraph::Walk;
  return !llvm::all_of(values, [&](ValueId value) {
    return kernel.graph.walk(value, seen, [&](ValueId id) {
      const Op op = kernel.graph.node(id).op;
      const bool isData = op == Op::Loaded || op == Op::Uniform ||
                          op == Op::Varying || op == Op::Opaque;
      return isData ? Walk::Stop : Walk::Into;
    });
  });
}

void SampledAccess::endBlock(const SampledBlock &at, bool isSpent) {
  isEnded |= isSpent;
  isWhole &= !isEnded;
  if (!isEnded && block.requests)
    average.add(at, block);
  block = {};
}

void SampledAccess::take(bool isKnown, RequestSums &sum) const {
  const bool isThatOfGrid = isKnown && isWhole && average.isThatOfEachRun();
  if (isKnown)
    sum = average.sums(isThatOfGrid);
  sum.range = average.range();
  sum.isWholeGrid = isThatOfGrid;
}

} // namespace warplint
