// The blocks that stand for a grid where each block's access has a shape of its
// own, as with a stride of `blockIdx.x`.
#pragma once
#include "cost/warp.h"
#include <vector>

namespace warplint {

/// A block that is evaluated for its part of the grid.
struct SampledBlock {
  BlockPlace place;
  double weight; ///< the blocks that it stands for
  unsigned run;  ///< of neighbouring blocks
};

/// Neighbouring blocks of a run: a whole number of the periods 2, 3, 4, 6, 8
/// and 12, so that runs agree on what alternates from block to block.
constexpr unsigned blocksOfRun = 24;

/// Runs of blocks along the `dimensions` (bits): the first ones, the last ones
/// and some between; all blocks of a small grid, as one run. Other dimensions
/// stay at `usual`. Blocks of the same number in their runs are neighbours in
/// the result, so that each beginning of it is spread over the grid.
std::vector<SampledBlock> sampledBlocks(const BlockPlace &grid,
                                        uint8_t dimensions,
                                        const BlockPlace &usual);

} // namespace warplint
