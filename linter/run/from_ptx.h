// A source and what nvcc made of it to the source's kernels as their PTX says
// them.
#pragma once
#include "machine/compiled.h"
#include "source/read.h"

namespace warplint {

/// The kernels of the first unit that has PTX. What the source reader has too
/// keeps its name, place, launch bounds, demanded shapes, and, where a line has
/// one word for it, what the source calls an access. Of other kernels, those
/// that have code of the user's in them. Fails, with a sentence, if there is no
/// PTX.
llvm::Expected<std::vector<Kernel>> kernelsFromPtx(const SourceModel &model,
                                                   const Compiled &compiled);

} // namespace warplint
