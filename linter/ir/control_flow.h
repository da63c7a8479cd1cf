// Computes the conditions under which threads reach the blocks of one function,
// and numbers its loops.
#pragma once
#include "ir/carried_operands.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

namespace warplint {

struct FunctionAnalyses {
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::PostDominatorTree &postDominators;
};

/// Builds conditions on demand, into `graph`.
class ControlFlow {
public:
  /// `valueIn` translates a condition of the IR as seen in a block.
  using ValueIn = std::function<ValueId(const llvm::Value *value,
                                        const llvm::BasicBlock *context)>;
  ControlFlow(const llvm::Function &function, FunctionAnalyses analyses,
              ExpressionGraph &graph, CarriedOperands &carried,
              ValueIn valueIn);

  LoopId loopId(const llvm::Loop *loop) const { return loopIds_.lookup(loop); }
  /// Returns the loops around `block`, outermost first.
  std::vector<LoopId> loopsAround(const llvm::BasicBlock *block) const;
  /// Returns the loops in the order of their ids.
  const std::vector<const llvm::Loop *> &loops() const { return loopOrder_; }
  /// Returns the loop whose header `block` is, if it is entered by one edge and
  /// repeated by one; else null.
  const llvm::Loop *loopFrom(const llvm::BasicBlock *block) const;

  /// Returns the nearest block above that is control-equivalent to `block`;
  /// null if there is none.
  const llvm::BasicBlock *alwaysWith(const llvm::BasicBlock *block) const;

  /// Returns the condition under which a thread in `root` reaches `block`.
  ValueId reach(const llvm::BasicBlock *block, const llvm::BasicBlock *root);
  /// Returns the condition that a thread in `from`'s iteration branches to
  /// `to`.
  ValueId edge(const llvm::BasicBlock *from, const llvm::BasicBlock *to,
               const llvm::BasicBlock *root);
  /// Returns the same condition as seen from `to`, which may lie outside loops
  /// that contain `from`. All threads that enter a loop leave it, so a single
  /// exit is taken by all of them, unless `which` exiting block matters.
  ValueId edgeOut(const llvm::BasicBlock *from, const llvm::BasicBlock *to,
                  const llvm::BasicBlock *root, bool which);

private:
  ValueId taken(const llvm::BasicBlock *from, const llvm::BasicBlock *to);

  const llvm::BasicBlock *entry_;
  FunctionAnalyses analyses_;
  ExpressionGraph &graph_;
  CarriedOperands &carried_;
  ValueIn valueIn_;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>,
                 ValueId>
      reached_; ///< by block and root
  llvm::DenseMap<const llvm::Loop *, LoopId> loopIds_;
  std::vector<const llvm::Loop *> loopOrder_;
};

} // namespace warplint
