// Loops that double or halve an integer in each iteration.
#pragma once
#include "model/model.h"

namespace warplint {

/// Returns true if each iteration of the loop moves an integer by one or more of
/// its bits, as `stride *= 2` and `mask >>= 1` do: after as many iterations as
/// it has bits, nothing is left of it.
bool shiftsAValue(const Kernel &kernel, LoopId loop);

} // namespace warplint
