// Decides if a loop executes an access more than once.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// Returns true if a thread may execute the access in two successive iterations
/// of `loop`, with the kernel's first shape.
bool comesAgain(const CostedKernel &costed, const Access &access, LoopId loop);

} // namespace warplint
