// The requests for elements that all lanes of a warp read alike, once the block
// keeps them in shared memory.
#pragma once
#include "cost/kernel_time.h"

namespace warplint {

/// The part of its requests that is left of each of the `loads` of one loop.
/// The compiler knows how a tile is aligned, and reads 16 bytes at a time of
/// elements that lie side by side, in one iteration or in the next ones; of
/// global memory it does not, and reads them one by one. 1 if the lanes read
/// different elements, or if it is unknown where the next ones are.
std::vector<double> partsFromTile(const CostedKernel &costed,
                                  const ShapeCosts &shape,
                                  llvm::ArrayRef<unsigned> loads);

/// What the `loads` take that are not left.
Demand requestsSavedByTile(const CostedKernel &costed, const ShapeCosts &shape,
                           llvm::ArrayRef<unsigned> loads);

} // namespace warplint
