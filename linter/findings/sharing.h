// Says how several threads take over a loop that one executes.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// One line for `Finding::fix`; `who`: "threads of the block".
std::string sharingAdvice(const CostedKernel &costed, const ShapeCosts &shape,
                          LoopId loop, llvm::StringRef who);

} // namespace warplint
