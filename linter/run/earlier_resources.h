// The resources of kernels at an earlier commit, compared with those of now.
#pragma once
#include "report/resources/resources.h"
#include "run/batch.h"

namespace warplint {

/// Reads and compiles the sources of `batch` as they were at `changes.commit`,
/// each with its present command. Adds findings of `worse-kernel` to
/// `outcomes`: kernels that got worse, and new ones that spill. `now`: the
/// present resources. Sources that could not be compiled at the commit are
/// named in a note, with the reason. Fails if git cannot extract the commit.
llvm::Error addWorseThanAtCommit(const Batch &batch, const Changes &changes,
                                 ResourceReport now, const Options &options,
                                 Outcomes &outcomes);

} // namespace warplint
