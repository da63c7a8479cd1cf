#include "ir/guard_chains.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace warplint {

/// Where scalar evolution goes on from a block.
static const llvm::BasicBlock *before(const llvm::BasicBlock *block,
                                      const llvm::LoopInfo &loops) {
  if (const llvm::BasicBlock *only = block->getSinglePredecessor())
    return only;
  const llvm::Loop *around = loops.getLoopFor(block);
  return around ? around->getLoopPredecessor() : nullptr;
}

unsigned blocksBefore(const llvm::Loop &loop, const llvm::LoopInfo &loops,
                      unsigned most) {
  const llvm::Loop *around = loop.getParentLoop();
  unsigned count = 0;
  for (const llvm::BasicBlock *block = loop.getLoopPreheader();
       block && count < most && (!around || around->contains(block));
       block = before(block, loops))
    ++count;
  return count;
}

unsigned endGuardChains(llvm::Function &function,
                        llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  unsigned ended = 0;
  // In the order of the code: behind an end, a chain begins anew.
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (blocksBefore(*loop, loops, mostBefore) < mostBefore)
      continue;
    llvm::BasicBlock *last = loop->getLoopPreheader();
    llvm::DominatorTree *none = nullptr;
    llvm::BasicBlock *preheader =
        llvm::SplitBlock(last, last->getTerminator(), none, &loops);
    // A block with two edges from one other has no single predecessor.
    llvm::Instruction *way = last->getTerminator();
    llvm::BranchInst::Create(preheader, preheader,
                             llvm::ConstantInt::getTrue(function.getContext()),
                             way->getIterator());
    way->eraseFromParent();
    ++ended;
  }
  if (ended)
    analyses.clear(function, function.getName());
  return ended;
}

} // namespace warplint
