// Finds the innermost loop in which a value changes. What the compiler loads
// before a loop does not change in it.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instruction.h"

namespace warplint {

class Invariance {
public:
  explicit Invariance(const llvm::LoopInfo &loops) : loops_(loops) {}

  /// The number of loops around `block` that leave the value as it is, from the
  /// innermost one outwards.
  unsigned loopsThatLeave(const llvm::Value *value,
                          const llvm::BasicBlock *block);
  /// Null if it changes in none.
  const llvm::Loop *changesIn(const llvm::Value *value);

private:
  const llvm::Loop *compute(const llvm::Instruction &instruction,
                            const llvm::Loop *around);

  const llvm::LoopInfo &loops_;
  llvm::DenseMap<const llvm::Instruction *, const llvm::Loop *> known_;
};

} // namespace warplint
