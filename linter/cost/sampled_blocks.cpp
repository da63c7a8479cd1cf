#include "cost/sampled_blocks.h"

namespace warplint {

namespace {

constexpr unsigned runsBetween = 6; ///< the first run and the last one

BlockPlace placed(uint64_t number, const BlockPlace &grid, uint8_t dimensions,
                  BlockPlace place) {
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (dimensions >> dimension & 1) {
      place[dimension] = number % grid[dimension];
      number /= grid[dimension];
    }
  return place;
}

} // namespace

std::vector<SampledBlock> sampledBlocks(const BlockPlace &grid,
                                        uint8_t dimensions,
                                        const BlockPlace &usual) {
  uint64_t blocks = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (dimensions >> dimension & 1)
      blocks *= grid[dimension];
  std::vector<SampledBlock> result;
  auto add = [&](uint64_t number, double weight, unsigned run) {
    result.push_back({placed(number, grid, dimensions, usual), weight, run});
  };
  if (blocks <= blocksOfRun * (runsBetween + 2)) {
    for (uint64_t number = 0; number < blocks; ++number)
      add(number, 1, 0);
    return result;
  }
  const uint64_t between = blocks - 2 * blocksOfRun;
  for (unsigned i = 0; i < blocksOfRun; ++i) {
    add(i, 1, 0);
    add(blocks - blocksOfRun + i, 1, 1);
    for (unsigned run = 0; run < runsBetween; ++run) {
      // Each run begins elsewhere in its part of the grid: a period may be as
      // long as the parts.
      const uint64_t part = between / runsBetween, room = part - blocksOfRun;
      const uint64_t start = room * (2 * run + 1) / (2 * runsBetween);
      add(blocksOfRun + run * part + start + i,
          double(between) / (runsBetween * blocksOfRun), run + 2);
    }
  }
  return result;
}

} // namespace warplint
