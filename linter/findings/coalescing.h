// What to change so that neighbouring lanes touch neighbouring elements, in
// words with the program's own names.
#pragma once
#include "findings/check.h"

namespace warplint {

/// One line for `Finding::fix`; empty if no index that the kernel has steps
/// through neighbouring elements.
std::string coalescingAdvice(const CostedKernel &costed,
                             const ShapeCosts &shape, unsigned access);

} // namespace warplint
