// The warps that a launch of a kernel has.
#pragma once
#include "cost/warp.h"

namespace warplint {

/// Warps of the largest launch; nothing if its grid is unknown. A cooperative
/// one is taken to be as large as it can be.
std::optional<double> launchedWarps(const KernelShape &shape);

/// In a known grid, a block in the middle stands for all.
void pinToMiddle(Warp &warp, const KernelShape &shape);

/// The index in the middle of one of `parts` of `all`: the mean of what grows
/// with the index is the mean over all of them, and the last one, which may
/// have less to do, does not stand for many.
uint64_t middleOf(uint64_t part, uint64_t parts, uint64_t all);

/// The blocks that stand for a known grid.
std::vector<BlockPlace> sampleOfGrid(const Launched &launch);

} // namespace warplint
