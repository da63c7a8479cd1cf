// The resources of kernels at an earlier commit, compared with those of now.
#pragma once
#include "report/resources/resource_changes.h"
#include "run/batch.h"

namespace warplint {

/// Compiles the sources of `batch` as they were at `changes.commit`, each with
/// its present command. Returns kernels that got worse, and new ones that
/// spill. `now`: the present resources. Sources that could not be compiled at
/// the commit are in `missing`, with the reason. Fails if git cannot extract
/// the commit.
llvm::Expected<ResourceComparison> worseThanAtCommit(const Batch &batch,
                                                     const Changes &changes,
                                                     ResourceReport now,
                                                     const Options &options);

} // namespace warplint
