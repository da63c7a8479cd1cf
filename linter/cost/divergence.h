// Computes for a branch and a block shape how the lanes of a warp diverge: how
// many take each side, and how often neighbouring lanes take different sides.
#pragma once
#include "cost/warp.h"

namespace warplint {

struct Divergence {
  bool known = false; ///< the side of each lane; else ignore the rest
  double lanes = 0;   ///< of a warp that reach the branch, on average
  /// The share of the times a warp reaches the branch in which its lanes
  /// diverge, and in which neighbours diverge so often that no part of the warp
  /// stays together (every other lane, every fourth).
  double split = 0, alternating = 0;
  /// By side: lanes of a warp that take it, on average over the times that the
  /// lanes diverge.
  std::vector<double> share;
  /// The share of the warps' work that would be saved if each warp took one
  /// side.
  double waste = 0;
  bool changesWithLoop =
      false; ///< a lane takes another side in another iteration
  /// The lanes of each side in the first warp that diverges.
  std::vector<uint32_t> example;
};

Divergence divergence(const Kernel &kernel, Shape shape, const Branch &branch);

} // namespace warplint
