// The output of `resources --ratchet` and `diff` for two reports, and their
// exit code.
#pragma once
#include "report/resources/resource_changes.h"
#include "run/options.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

void printComparison(const ResourceComparison &comparison, Format format,
                     llvm::raw_ostream &out);

int exitCodeOf(bool anyFinding, bool incomplete);

} // namespace warplint
