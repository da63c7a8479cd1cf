// Computes which part of a grid's blocks gets past a condition on an index of
// the grid: of a grid of 65,536 blocks of 256 threads, `if (i >= n) return` with
// an n of 1 << 20 leaves 4,096 something to do.
#pragma once
#include "cost/warp.h"

namespace warplint {

/// Of the first launch, from 0 to 1; above 0. 1 where its grid is unknown or
/// has few blocks, and for what is no bound of an index.
double blocksUnder(Evaluation &evaluation, const KernelShape &shape,
                   ValueId condition);

} // namespace warplint
