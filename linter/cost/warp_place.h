// Where a warp is: its threads in their block, and its block in the grid.
#pragma once
#include "cost/lane_values.h"
#include "model/model.h"

namespace warplint {

/// A block's index along x, y and z.
using BlockPlace = std::array<uint64_t, 3>;

/// A grid of up to this many blocks is evaluated whole.
constexpr unsigned fewBlocks = 4;

/// The index of each thread of warp `index` of a block along a dimension.
LaneValues threadIndexes(const Shape &shape, unsigned index,
                         unsigned dimension);

/// The lanes of warp `index` that are threads of the block: the last warp may
/// have fewer.
uint32_t existingLanes(const Shape &shape, unsigned index);

struct PlaceInGrid {
  BlockPlace block;
  bool isKnown = false; ///< false: this block stands for all blocks
};

/// Block `number`, counted from the start of a grid of at most `fewBlocks`, and
/// else from the middle. `launch`: null if none is known.
PlaceInGrid placeInGrid(unsigned number, unsigned trial,
                        const Launched *launch);

} // namespace warplint
