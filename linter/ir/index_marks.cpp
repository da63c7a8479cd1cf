#include "ir/index_marks.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

namespace warplint {

std::optional<unsigned> contiguousIndex(llvm::StringRef layout,
                                        unsigned indexes) {
  if (layout == "LayoutLeft" || layout == "layout_left")
    return 0;
  if (layout == "LayoutRight" || layout == "layout_right")
    return indexes - 1;
  return std::nullopt;
}

static bool isMark(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(indexMark);
}

void forgetIndexMarks(llvm::Function &function) {
  std::vector<llvm::Instruction *> marks;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (isMark(instruction))
      marks.push_back(&instruction);
  for (llvm::Instruction *mark : marks) {
    llvm::SmallVector<llvm::WeakTrackingVH, 8> indexes(mark->operands());
    mark->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(indexes);
  }
}

} // namespace warplint
