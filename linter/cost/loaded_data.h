// Decides if a value depends on data in memory that only a run knows: `col[j]`
// in `x[col[j]]`. Kernel arguments and constant memory do not count.
#pragma once
#include "model/model.h"

namespace warplint {

/// Returns true for what an atomic returns: what memory held.
bool isResultOfAtomic(const ExpressionGraph &graph, ValueId value);

bool dependsOnLoadedData(const Kernel &kernel, ValueId value);

/// The same for data that each iteration of `loop` loads anew.
bool dependsOnDataOfIteration(const Kernel &kernel, ValueId value, LoopId loop);

/// Returns true if data that an iteration of `loop` loads decide if the
/// iteration executes the access; false if they only decide how many iterations
/// there are.
bool isSelectedByData(const Kernel &kernel, const Access &access, LoopId loop);

} // namespace warplint
