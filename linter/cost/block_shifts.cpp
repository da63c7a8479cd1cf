#include "cost/block_shifts.h"
#include "os/deadline.h"
#include <numeric>

namespace warplint {

BlockShifts shifted(const BlockShifts &from, unsigned step,
                    std::optional<uint64_t> blocks, uint64_t place) {
  const uint64_t period = sectorBytes / std::gcd(step, sectorBytes);
  BlockShifts result{{}, from.isWholeGrid && blocks};
  for (uint64_t residue = 0; residue < period; ++residue) {
    const double share =
        blocks
            ? double(*blocks / period + (residue < *blocks % period)) / *blocks
            : 1.0 / period;
    const uint64_t shift = (residue + period - place % period) * step;
    for (unsigned bytes = 0; bytes < sectorBytes; ++bytes)
      result.share[(bytes + shift) % sectorBytes] += from.share[bytes] * share;
  }
  return result;
}

std::optional<unsigned> shiftBetween(const LaneValues &from,
                                     const LaneValues &to, uint32_t lanes) {
  if ((from.unknown | to.unknown) & lanes)
    return std::nullopt;
  const uint64_t bytes = to.value[0] - from.value[0];
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if ((lanes >> lane & 1) &&
        (to.value[lane] - from.value[lane] - bytes) % sectorBytes)
      return std::nullopt;
  return bytes % sectorBytes;
}

bool haveSameShape(const LaneValues &from, const LaneValues &to,
                   uint32_t lanes) {
  if ((from.unknown | to.unknown) & lanes)
    return true;
  const uint64_t bytes = to.value[0] - from.value[0];
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if ((lanes >> lane & 1) && to.value[lane] - from.value[lane] != bytes)
      return false;
  return true;
}

std::vector<uint8_t> blockDimensions(const ExpressionGraph &graph) {
  std::vector<uint8_t> dimensions(graph.size());
  // Operands come before their nodes, except in loops.
  for (bool isChanged = true; isChanged && !isOverdue();) {
    isChanged = false;
    for (ValueId id = 0; id < graph.size(); ++id) {
      uint8_t bits = dimensions[id];
      if (graph.node(id).op == Op::BlockIndex)
        bits |= 1u << graph.node(id).number;
      for (ValueId operand : graph.operands(id))
        bits |= dimensions[operand];
      isChanged |= bits != dimensions[id];
      dimensions[id] = bits;
    }
  }
  return dimensions;
}

} // namespace warplint
