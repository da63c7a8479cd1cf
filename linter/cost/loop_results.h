// What a loop leaves behind, from what it computes in each iteration.
#pragma once
#include "cost/iterations.h"
#include "cost/lane_values.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

/// A condition in the iterations that it is asked for.
using ConditionIn = llvm::function_ref<const LaneValues &(const Iterations &)>;

/// What `valueIn` gives in the last iteration of `loop`, that in which
/// `continues` no longer holds, lane by lane. `outside`: the iterations of the
/// loops around it; `id`: the node that asks.
LaneValues
lastValues(LoopId loop, const Iterations &outside, ConditionIn continues,
           llvm::function_ref<LaneValues(const Iterations &)> valueIn,
           unsigned trial, ValueId id);

/// For each lane, if `holds` did so in any iteration of `loop`.
LaneValues everHeld(LoopId loop, const Iterations &outside,
                    ConditionIn continues, ConditionIn holds, ValueId id);

} // namespace warplint
