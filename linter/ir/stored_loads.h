// Follows what a store writes back to the loads that gave it.
#pragma once
#include "ir/read_accesses.h"

namespace warplint {

/// Sets `storedLoads`, those of the same iteration, and `storesElection`.
void readStoredLoads(const AccessReader::Positions &positions,
                     const llvm::LoopInfo &loops, Kernel &kernel);

} // namespace warplint
