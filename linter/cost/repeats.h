// Whether a loop does the same access again.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// Whether a thread can get to the access in the iteration of `loop` after its
/// first, in the first of the kernel's shapes.
bool comesAgain(const CostedKernel &costed, const Access &access, LoopId loop);

} // namespace warplint
