// Kernels that are read from the PTX of a source instead of the source itself.
#pragma once
#include "machine/compiled.h"
#include "run/batch.h"

namespace warplint {

/// The kernels of the first unit that has PTX. A kernel that the source model
/// has as well takes from it its name, place, launch bounds and shapes, and the
/// text of each access where one line has one text. Other kernels are left out
/// unless they contain code of the user's. Fails if there is no PTX.
llvm::Expected<std::vector<Kernel>> kernelsFromPtx(const SourceModel &model,
                                                   const Compiled &compiled);

/// Compiles the source and reads its PTX. `accesses` takes all its kernels,
/// `check` only those that could not be read from the source.
void takeKernelsFromPtx(Work &work, const Options &options);

} // namespace warplint
