// Computes which part of its lines L1 has lost by the next iteration of a loop:
// the rows that all lanes walk along, and what gathers load in between, are
// more lines than it holds.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// The lines of 128 bytes that the global loads in the body of a loop touch in
/// an iteration, for each warp. Loads of one object are taken to touch the same
/// ones. `share` is the part of a load's lines that is a warp's own and that
/// nothing keeps in L1 anyway.
double linesInIteration(const Kernel &kernel, const ShapeCosts &costs,
                        LoopId loop,
                        llvm::function_ref<double(unsigned access)> share);

/// The part that L1 has lost of what was touched `lines` lines before.
double lostLines(double lines);

} // namespace warplint
