// Finds conditions that hold in one iteration of a loop: a value lies between
// two bounds that move with the loop, and the upper one of an iteration is the
// lower one of the next, as in `if (i * w <= x && x < (i + 1) * w)`.
#pragma once
#include "cost/warp.h"
#include <vector>

namespace warplint {

/// The value that two of `conditions` look for in the intervals that a loop
/// walks through; none if they ask for something else. The lanes' values are
/// unknown; where they are known, the conditions are evaluated.
std::optional<ValueId> valueInIntervals(const Kernel &kernel, Warp &warp,
                                        LoopId loop,
                                        llvm::ArrayRef<ValueId> conditions);

} // namespace warplint
