// What kernels took at an earlier commit, to hold against what they take now.
#pragma once
#include "report/resources/resource_changes.h"
#include "run/batch.h"

namespace warplint {

/// Compiles the sources of `batch` once more as they were at `changes.commit`,
/// each with the command that it has now, and compares. Leaves kernels that got
/// worse, and new ones that spill. `now`: what the kernels take today. Sources
/// that could not be compiled then are in `missing`, with the reason; fails if
/// git does not hand out the commit.
llvm::Expected<ResourceComparison> worseThanBefore(const Batch &batch,
                                                   const Changes &changes,
                                                   ResourceReport now,
                                                   const Options &options);

} // namespace warplint
