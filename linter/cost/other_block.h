// Prices a kernel in another block shape, where its threads do not know the
// shape that they have.
#pragma once
#include "cost/costed.h"
#include <optional>

namespace warplint {

struct OtherBlock {
  Shape shape;
  double share = 0; ///< from 0 to 1: how much less time the kernel takes in it
};

/// Returns which of 32x4, 32x8 and 16x16 threads takes least time in place of a
/// block of rows and columns. Returns nothing if none saves time, for blocks of
/// one row, and for a kernel that depends on its shape: one that shares memory
/// or values among the threads of a block, or whose threads use their index
/// otherwise than in `blockIdx.x * blockDim.x + threadIdx.x`.
std::optional<OtherBlock> fasterBlock(const CostedKernel &costed,
                                      const ShapeCosts &now);

/// From 0 to 1: how much less time a kernel takes whose blocks of a part of a
/// warp are joined to blocks of `threads`. Its lanes then share sectors, or
/// take each other's lines of L1. Returns nothing for blocks of rows, for a
/// kernel that depends on its shape, and for one whose threads do not use their
/// index.
std::optional<double> shareOfJoined(const CostedKernel &costed,
                                    const ShapeCosts &now, unsigned threads);

} // namespace warplint
