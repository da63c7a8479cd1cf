#include "ir/memory_walks.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

std::vector<llvm::Instruction *> endMemoryWalks(llvm::Function &function,
                                                const llvm::LoopInfo &loops) {
  std::vector<llvm::Instruction *> ends;
  unsigned passed = 0;
  // In the order of the code.
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::BasicBlock *before =
        loop->isOutermost() ? loop->getLoopPreheader() : nullptr;
    if (before && passed >= mostLoopsPassed) {
      ends.push_back(new llvm::FenceInst(
          function.getContext(), llvm::AtomicOrdering::Acquire,
          llvm::SyncScope::SingleThread,
          before->getTerminator()->getIterator()));
      passed = 0;
    }
    ++passed;
  }
  return ends;
}

} // namespace warplint
