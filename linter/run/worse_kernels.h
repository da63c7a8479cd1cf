// Kernels that take more than at an earlier commit, as findings.
#pragma once
#include "report/resources/resource_changes.h"
#include "run/batch.h"

namespace warplint {

/// Adds a confirmed finding of `worse-kernel` to the source of each kernel that
/// got worse, and of each new one that spills, where the source's settings have
/// the check. `earlier`: the sources as they were.
void addWorseKernels(const ResourceComparison &comparison, const Batch &batch,
                     const Batch &earlier, Outcomes &outcomes);

} // namespace warplint
