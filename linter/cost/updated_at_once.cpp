#include "cost/updated_at_once.h"
#include "cost/request.h"
#include "cost/update_time.h"
#include <algorithm>
#include <set>

namespace warplint {

namespace {

/// The block that begins after `number` others.
BlockPlace placeOf(uint64_t number, const BlockPlace &grid) {
  const uint64_t rows = number / grid[0];
  return {number % grid[0], rows % grid[1], rows / grid[1]};
}

} // namespace

std::optional<UpdatedAtOnce>
updatedAtOnce(FirstWarps &first, const BlockPlace &grid, const Access &access,
              const Cost &cost, double blocks, unsigned warps) {
  if (!cost.active)
    return std::nullopt;
  constexpr unsigned most = 512;
  warps = std::clamp(warps, 1u, most / 16);
  blocks = std::clamp(blocks, 1.0, double(grid[0]) * grid[1] * grid[2]);
  const unsigned evaluated = std::min<double>(blocks, most / warps);
  std::set<uint64_t> sectors;
  uint64_t sectorsOfHalf = 0, bytesOfHalf = 0, low = UINT64_MAX, high = 0;
  for (unsigned number = 0; number < evaluated; ++number) {
    if (number == evaluated / 2 && number) {
      sectorsOfHalf = sectors.size();
      bytesOfHalf = high - low;
    }
    const Warp any(first.first, placeOf(number, grid));
    for (unsigned index = 0; index < warps; ++index) {
      Warp warp(any, index);
      const LaneValues &address = warp.evaluate(access.address, {});
      if (address.unknown & cost.active)
        return std::nullopt;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        if (cost.active >> lane & 1) {
          sectors.insert(address.value[lane] / sectorBytes);
          low = std::min(low, address.value[lane]);
          high = std::max(high, address.value[lane]);
        }
    }
  }
  auto ofAll = [&](uint64_t ofHalf, uint64_t seen) {
    return seen + double(seen - ofHalf) / (evaluated - evaluated / 2) *
                      (blocks - evaluated);
  };
  const double all = ofAll(sectorsOfHalf, sectors.size());
  return UpdatedAtOnce{
      all, std::clamp(ofAll(bytesOfHalf, high - low) / sliceBytes, 1.0, all)};
}

} // namespace warplint
