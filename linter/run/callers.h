// Launches whose arguments the callers of a host function decide: what these
// pass, in whichever file of the project they are.
#pragma once
#include "input/written_calls.h"
#include "run/batch.h"

namespace warplint {

/// Returns one launch for each set of numbers that calls pass, with them in the
/// place of the arguments. Returns the launch itself where no call is seen,
/// where more than eight differ, and where it may be called unseen. A launch
/// whose arguments its own source's calls give stays beside the others.
std::vector<Launch> asCalled(const Launch &launch, const CallsByFunction &calls,
                             llvm::StringRef source = "");

/// The folder whose files call the functions of a source.
std::string callersOf(const Work &work);

/// Sets `Work::launches` of all sources: those of the outlines as the files of
/// the sources' projects call them. Looks at no file of more than 4 MiB; where
/// a project has such a one or is too large, its calls are unknown. Uses as many
/// threads (0: one for each core).
void readCallers(Batch &batch, unsigned threads);

} // namespace warplint
