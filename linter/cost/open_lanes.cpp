#include "cost/open_lanes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

using Walk = ExpressionGraph::Walk;

bool hasOpenTerm(const ExpressionGraph &graph, Warp &warp, ValueId condition) {
  const Iterations first;
  return !graph.walk(condition, [&](ValueId id) {
    if (graph.node(id).bits != 1)
      return Walk::Past;
    if (!isComparison(graph.node(id).op))
      return Walk::Into;
    return warp.evaluate(id, first).assumed &&
                   llvm::any_of(
                       graph.operands(id),
                       [&](ValueId operand) {
                         return !warp.evaluate(operand, first).isUniform();
                       })
               ? Walk::Stop
               : Walk::Past;
  });
}

bool hasDataTerm(const ExpressionGraph &graph, Warp &doubting,
                 ValueId condition) {
  const Iterations first;
  return !graph.walk(condition, [&](ValueId id) {
    if (graph.node(id).op == Op::And)
      return Walk::Into;
    const LaneValues &holds = doubting.evaluate(id, first);
    return (holds.unknown & doubting.lanes()) && !holds.isUniform()
               ? Walk::Stop
               : Walk::Past;
  });
}

std::optional<ValueId> dataInTerm(const ExpressionGraph &graph, Warp &warp,
                                  ValueId condition, uint32_t active,
                                  llvm::DenseSet<ValueId> &without) {
  const Iterations first;
  std::optional<ValueId> why;
  llvm::SmallVector<ValueId, 32> visited;
  graph.walk(condition, without, [&](ValueId id) {
    visited.push_back(id);
    if (id != condition && graph.node(id).bits != 1)
      return Walk::Past;
    const LaneValues &holds = warp.evaluate(id, first);
    if (!(holds.unknown & active) || holds.isUniform())
      return Walk::Into;
    why = holds.why;
    return Walk::Stop;
  });
  if (why)
    for (ValueId id : visited)
      without.erase(id);
  return why;
}

std::optional<ValueId> dataInNext(const Kernel &kernel, Warp &warp,
                                  const Access &access,
                                  const Iterations &iterations,
                                  uint32_t active) {
  for (LoopId loop : access.loops) {
    if (!(kernel.graph.loopsOf()[access.address] &
          ExpressionGraph::loopBit(loop)))
      continue;
    const LaneValues &continues =
        warp.evaluate(kernel.loops[loop].continues, iterations);
    if (!continues.assumed &&
        !((continues.unknown | continues.holding()) & active))
      continue;
    Iterations next = iterations;
    ++next[loop];
    const LaneValues &address = warp.evaluate(access.address, next);
    if (address.unknown & active)
      return address.why;
  }
  return std::nullopt;
}

} // namespace warplint
