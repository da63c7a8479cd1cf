// `warplint resources` and `warplint diff`: options to what is printed, and the
// exit code.
#pragma once
#include "run/options.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// 0: every gate and the ratchet hold. 1: one does not. 2: warplint itself
/// failed. 3: some report is missing or cut off, or a gate asks for what the
/// input does not tell.
int runResources(const Options &options, llvm::raw_ostream &out,
                 llvm::raw_ostream &err, bool terminal);

/// 0: nothing is worse. 1: a kernel is worse, or a new one spills. 2: a report
/// cannot be read. 3: one of them is incomplete.
int runDiff(const Options &options, llvm::raw_ostream &out,
            llvm::raw_ostream &err);

} // namespace warplint
