// A branch and a block shape to how its lanes part: how many go each way in a
// warp, and how often they take turns along the warp.
#pragma once
#include "cost/warp.h"

namespace warplint {

struct Divergence {
  bool known = false; ///< which lane goes where; else the rest says nothing
  double lanes = 0;   ///< of a warp that come to the branch, on average
  /// Of the times that a warp comes to the branch: in which its lanes part,
  /// and in which neighbours part so often that no piece of a warp is left
  /// whole (every other lane, every fourth).
  double split = 0, alternating = 0;
  /// By side: lanes of a warp that go there, on average over the times that the
  /// lanes part.
  std::vector<double> share;
  /// Of the work that warps do on all sides, the part that would not have to be
  /// done if whole warps went each way.
  double waste = 0;
  bool changesWithLoop =
      false; ///< a lane goes another way in another iteration
  /// The first warp whose lanes part: those of each side.
  std::vector<uint32_t> example;
};

Divergence divergence(const Kernel &kernel, Shape shape, const Branch &branch);

} // namespace warplint
