#include "cost/warp_place.h"
#include <algorithm>

namespace warplint {

LaneValues threadIndexes(const Shape &shape, unsigned index,
                         unsigned dimension) {
  LaneValues result;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    uint64_t linear = uint64_t(index) * warpSize + lane;
    result.value[lane] = dimension == 0   ? linear % shape.x
                         : dimension == 1 ? linear / shape.x % shape.y
                                          : linear / shape.x / shape.y;
  }
  return result;
}

uint32_t existingLanes(const Shape &shape, unsigned index) {
  uint64_t threads = shape.threads(), first = uint64_t(index) * warpSize;
  if (first >= threads)
    return 0;
  uint64_t count = std::min<uint64_t>(threads - first, warpSize);
  return count == warpSize ? allLanes : (1u << count) - 1;
}

PlaceInGrid placeInGrid(unsigned number, unsigned trial,
                        const Launched *launch) {
  const uint64_t blocks = launch ? launch->blocks().value_or(0) : 0;
  if (blocks && blocks <= fewBlocks) { // a grid may be empty
    const uint64_t x = *launch->grid[0], y = *launch->grid[1];
    return {{number % x, number / x % y, number / x / y}, true};
  }
  // Blocks 2, 4 and 6 along x, y and z, in another order in each trial:
  // different from each other, and neither the first nor the last.
  PlaceInGrid place;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    uint64_t inside = 2 * (1 + (dimension + trial) % 3) + number;
    if (launch && launch->grid[dimension])
      inside =
          std::min(inside, std::max<uint64_t>(*launch->grid[dimension], 2) - 2);
    place.block[dimension] = inside;
  }
  return place;
}

} // namespace warplint
