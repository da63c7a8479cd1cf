// Says how several threads take over what one executes.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// One line for `Finding::fix`; `who`: "threads of the block".
std::string sharingAdvice(const CostedKernel &costed, const ShapeCosts &shape,
                          LoopId loop, llvm::StringRef who);

/// The same for a launch that leaves SMs empty. Where each thread has an
/// element of its own, more threads have nothing to do but to share the
/// iterations of its loop.
std::string largerGridAdvice(const CostedKernel &costed,
                             const ShapeCosts &shape, bool isOneThread,
                             const Place &seenFrom);

} // namespace warplint
