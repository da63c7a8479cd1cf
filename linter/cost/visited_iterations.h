// The iterations of a nest of loops that a warp is looked at in.
#pragma once
#include "cost/evaluation.h"
#include "cost/iterations.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

/// For which existing lanes a condition may hold.
struct MayHold {
  uint32_t lanes = 0;
  bool sure = true; ///< nothing is unknown, and no probe value decides
};

/// Calls `visit` for the iterations of `loops` (outermost first) that a warp
/// executes: all of them if the loops are known and short, else two: the first
/// ones, or, where more lanes pass `guard` in each iteration, such as
/// `step - threadIdx.x >= 0`, the first ones with all that will. Stops when
/// `visit` returns false. Returns true if it left out iterations with fewer
/// lanes.
bool visitIterations(
    const Evaluation &evaluation, llvm::ArrayRef<LoopId> loops, ValueId guard,
    llvm::function_ref<MayHold(ValueId, const Iterations &)> mayHold,
    llvm::function_ref<bool(const Iterations &)> visit);

} // namespace warplint
