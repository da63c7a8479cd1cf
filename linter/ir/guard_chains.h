// Ends the chains of conditions that scalar evolution follows back from each
// loop, in code of many loops one after the other.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace warplint {

/// Blocks that scalar evolution looks at before a loop, at most, inside the
/// loop around it: two for each loop before it, one for each condition. What it
/// makes of them takes the square of their number, again for each loop.
constexpr unsigned mostBefore = 128;

/// The number of blocks that scalar evolution looks at before a loop with a
/// preheader, inside the loop around it; `most` if there are more.
unsigned blocksBefore(const llvm::Loop &loop, const llvm::LoopInfo &loops,
                      unsigned most);

/// Puts a branch with one place to go before the loops that have too many, and
/// returns how many there were. If there were any, no analysis is kept.
unsigned endGuardChains(llvm::Function &function,
                        llvm::FunctionAnalysisManager &analyses);

} // namespace warplint
