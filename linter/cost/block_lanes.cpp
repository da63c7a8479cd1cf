#include "cost/block_lanes.h"
#include "llvm/ADT/bit.h"

namespace warplint {

unsigned count(const Threads &threads) {
  unsigned sum = 0;
  for (uint32_t lanes : threads)
    sum += llvm::popcount(lanes);
  return sum;
}

unsigned mostInOneWarp(const Threads &threads) {
  unsigned most = 0;
  for (uint32_t lanes : threads)
    most = std::max<unsigned>(most, llvm::popcount(lanes));
  return most;
}

BlockLanes::BlockLanes(const Kernel &kernel, const KernelShape &shape,
                       std::optional<BlockPlace> place)
    : evaluation_(kernel, shape.launches) {
  const uint64_t warps = (shape.shape.threads() + warpSize - 1) / warpSize;
  for (unsigned index = 0; index < std::min<uint64_t>(warps, 32); ++index) {
    warps_.emplace_back(evaluation_, shape.shape, index, /*block=*/0,
                        /*trial=*/0);
    warps_.back().doubt();
    if (place)
      warps_.back().pin(*place);
  }
}

Threads BlockLanes::may(ValueId condition, const Iterations &iterations) {
  Threads result;
  for (Warp &warp : warps_)
    result.push_back(warp.may(condition, iterations) & warp.lanes());
  return result;
}

Threads BlockLanes::must(ValueId condition, const Iterations &iterations) {
  Threads result;
  for (Warp &warp : warps_)
    result.push_back(warp.must(condition, iterations));
  return result;
}

} // namespace warplint
