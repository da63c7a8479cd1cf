// Tells what stays the same by its nature from what stays the same for the
// probe values only.
#pragma once
#include "cost/warp.h"

namespace warplint {

/// One evaluation of the graph: a warp in an iteration of each loop.
using Evaluated = llvm::function_ref<const LaneValues &(ValueId)>;

/// Returns true if `value`, which is the same in two evaluations, may differ in
/// others: it rounds, bounds or compares something that differs between the
/// two, such as `i / width` of two values of `i`, and `min(i, n)`; or a size
/// that is not known chooses it, as in `n < 5 ? i : 0`.
bool mayDiffer(const ExpressionGraph &graph, ValueId value, Evaluated one,
               Evaluated other);

} // namespace warplint
