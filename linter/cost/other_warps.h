// The warps beside one that may load what it loads.
#pragma once
#include "cost/warp.h"
#include <deque>

namespace warplint {

/// A block's other warps are like these.
constexpr unsigned warpsTried = 8;

/// The warps of the first block that are tried, but its first one.
inline std::deque<Warp> othersOfBlock(Evaluation &evaluation,
                                      const Shape &shape) {
  const unsigned warps = std::min<uint64_t>(warpsTried, shape.warps());
  std::deque<Warp> others;
  for (unsigned index = 1; index < warps; ++index)
    others.emplace_back(evaluation, shape, index, 0, 0);
  return others;
}

/// The same warp of the next block along each dimension.
inline std::deque<Warp> inNextBlocks(Warp &here) {
  std::deque<Warp> others;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    BlockPlace next = here.block();
    ++next[dimension];
    others.emplace_back(here, next);
  }
  return others;
}

/// Returns true if one of `lanes` has this address.
inline bool hasAddress(Warp &warp, const Access &access,
                       const Iterations &iterations, uint32_t lanes,
                       uint64_t address) {
  const LaneValues &values = warp.evaluate(access.address, iterations);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if ((lanes & ~values.unknown) >> lane & 1 && values.value[lane] == address)
      return true;
  return false;
}

} // namespace warplint
