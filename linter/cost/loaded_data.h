// Whether a value is computed from what memory holds, so that only a run can
// know it: `col[j]` in `x[col[j]]`. Kernel arguments and constant memory are
// no such data.
#pragma once
#include "model/model.h"

namespace warplint {

bool dependsOnLoadedData(const Kernel &kernel, ValueId value);

/// The same of what each iteration of a loop reads anew.
bool dependsOnDataOfIteration(const Kernel &kernel, ValueId value, LoopId loop);

} // namespace warplint
