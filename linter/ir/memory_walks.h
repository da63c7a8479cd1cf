// Ends the walks back to what last wrote memory, in code of many loops one
// after the other.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include <vector>

namespace warplint {

/// Loops, with those inside them, that a walk passes at most. For each load
/// that LICM moves in front of a loop, MemorySSA walks back to the last write,
/// makes a phi in each loop on its way, takes it away again, and each time
/// looks at all loads that have no write before them: the cube of the number of
/// loops.
constexpr unsigned mostLoopsPassed = 32;

/// Puts a fence before each of the outermost loops that has too many others
/// before it. Inside a loop, where LICM asks what changes a load, there is
/// none. The caller takes them away after it.
std::vector<llvm::Instruction *> endMemoryWalks(llvm::Function &function,
                                                const llvm::LoopInfo &loops);

} // namespace warplint
