// Finds the divisions of integers that the compiler replaced, such as one by
// `1 << k`, and takes them out of what a kernel executes.
#pragma once
#include "findings/check.h"

namespace warplint {

/// The source's divisions, and remainders, by what is no constant, of which the
/// PTX has none. None if `view.ptx` is null.
std::vector<unsigned> goneDivisions(const CompiledView &view);

/// Makes a division one shift or mask.
void replaceDivision(Kernel &kernel, unsigned operation);

} // namespace warplint
