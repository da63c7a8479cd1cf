// Finds the accesses that the compiler makes less often than the source says.
#pragma once
#include "findings/check.h"

namespace warplint {

/// The loads and stores of global memory whose address is the same in each
/// iteration of their innermost loop and that the PTX has outside of it: a
/// register has the value meanwhile. None if `view.ptx` is null.
std::vector<unsigned> movedAccesses(const CompiledView &view);

} // namespace warplint
