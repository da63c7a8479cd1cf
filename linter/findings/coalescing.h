// Says what to change so that neighbouring lanes touch neighbouring elements,
// in words with the program's own names.
#pragma once
#include "findings/check.h"

namespace warplint {

/// One line for `Finding::fix`; empty if no index that the kernel has steps
/// through neighbouring elements.
std::string coalescingAdvice(const CostedKernel &costed,
                             const ShapeCosts &shape, unsigned access);

/// Accesses that no finding is about, since their neighbours use the rest of
/// their sectors, and that the remedy of `access` coalesces too, where it is to
/// swap threadIdx.x with another index.
std::vector<unsigned> alsoCuredBySwap(const CostedKernel &costed,
                                      const ShapeCosts &shape, unsigned access);

/// The loop whose iterations the remedy gives to the lanes of a warp, if
/// nothing in it speaks against that.
std::optional<LoopId> loopToShare(const CostedKernel &costed,
                                  const ShapeCosts &shape, unsigned access);

} // namespace warplint
