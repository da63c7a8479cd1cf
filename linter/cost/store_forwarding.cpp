#include "cost/store_forwarding.h"

namespace warplint {

LaneValues forwardedValues(const ExpressionGraph &graph, ValueId id,
                           OperandValues get) {
  llvm::ArrayRef<ValueId> operands = graph.operands(id);
  const LaneValues &address = get(operands[0]);
  if (address.unknown)
    return LaneValues::varying(id);
  const uint64_t bytes = graph.node(id).number;
  LaneValues result;
  result.assumed = address.assumed;
  uint32_t found = 0;
  for (size_t i = 1; i + 2 < operands.size(); i += 3) {
    const LaneValues &stored = get(operands[i]);
    const uint64_t size = graph.node(operands[i + 2]).number;
    if (stored.unknown || !stored.isUniform())
      return LaneValues::varying(id);
    const uint64_t to = stored.value[0];
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      const uint64_t from = address.value[lane];
      if (to + size <= from || from + bytes <= to)
        continue;
      if (to != from || size != bytes)
        return LaneValues::varying(id);
      lanes |= 1u << lane;
    }
    // `a[axis] = ...` may write what `a[3]` reads.
    if ((lanes & found) ||
        (lanes != allLanes && stored.assumed != address.assumed))
      return LaneValues::varying(id);
    if (lanes == allLanes)
      result = get(operands[i + 1]);
    else if (lanes)
      result.take(get(operands[i + 1]), lanes);
    found |= lanes;
  }
  return found == allLanes ? result : LaneValues::varying(id);
}

} // namespace warplint
