// The data that the warps of a block, and neighbouring blocks, load in common.
#pragma once
#include "cost/lanes.h"

namespace warplint {

/// Distinct sectors that all warps of a block touch with one access, and
/// sectors that the distinct bytes would fill: in the first iteration of loops
/// with a barrier and around them, and in the first iterations of the loops
/// inside. Nothing if an address is unknown, or if no thread gets there.
std::optional<Footprint> blockFootprint(const Kernel &kernel, Shape shape,
                                        const Access &access);

/// Returns true if the threads of a block together use most of what they touch:
/// `out[4 * threadIdx.x + threadIdx.y / 4]` in blocks of 16 rows.
bool isFilledByBlock(const Kernel &kernel, Shape shape, const Access &access);

/// How many warps of a block load the same sectors in one iteration, on
/// average; 1 if each loads its own. Nothing if an address is unknown, or if
/// other sizes give other counts. `bytes`: of what counts as one sector.
std::optional<double> warpsPerRequest(const Kernel &kernel, Shape shape,
                                      const Access &access,
                                      unsigned bytes = sectorBytes);

/// Returns true if blocks that differ in their index along `dimension` (0, 1,
/// 2) alone use the same address in the same lane and iteration; false if
/// unknown.
bool isSameForBlocks(const Kernel &kernel, Shape shape, const Access &access,
                     unsigned dimension);

/// Returns true if all lanes of all warps of a block use one address in the
/// same iteration, and so do the blocks along one dimension, each of which
/// stores elsewhere: a row of a table for each `blockIdx.y`. False if unknown.
bool isSameForRowOfBlocks(const Kernel &kernel, Shape shape,
                          const Access &access);

} // namespace warplint
