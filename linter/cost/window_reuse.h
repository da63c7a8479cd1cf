// What the loops of a window, as `for (dy = -1; dy <= 1; ++dy)` of a filter or
// a stencil, load that other threads load as well: their second iteration is at
// the first one's place of another warp or block.
#pragma once
#include "cost/frequency.h"

namespace warplint {

struct ShapeCosts;

/// The part of its requests that a load in such loops leaves.
struct WindowReuse {
  double inL1 = 1; ///< beside the block's other warps
  double inL2 = 1; ///< beside other blocks
};

/// By access. `here` is a warp of the shape that `costs` is of. (H200: the sum
/// of 27 neighbours of 256 x 256 x 256 floats moves 24 sectors for a warp, and
/// 122 MB to and from DRAM; without this 41, and 1,400 MB.)
std::vector<WindowReuse> windowReuse(const Kernel &kernel,
                                     const ShapeCosts &costs,
                                     Frequencies &frequencies,
                                     Evaluation &evaluation, Warp &here);

} // namespace warplint
