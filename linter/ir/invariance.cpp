#include "ir/invariance.h"
#include "ir/needed_accesses.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

static const llvm::Loop *deeper(const llvm::Loop *a, const llvm::Loop *b) {
  return !a || (b && b->getLoopDepth() > a->getLoopDepth()) ? b : a;
}

unsigned Invariance::loopsThatLeave(const llvm::Value *value,
                                    const llvm::BasicBlock *block) {
  const llvm::Loop *changes = changesIn(value);
  unsigned left = 0;
  for (const llvm::Loop *loop = loops_.getLoopFor(block); loop;
       loop = loop->getParentLoop()) {
    if (changes && (loop == changes || loop->contains(changes)))
      break;
    ++left;
  }
  return left;
}

const llvm::Loop *Invariance::changesIn(const llvm::Value *value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return nullptr;
  const llvm::Loop *around = loops_.getLoopFor(instruction->getParent());
  if (!around)
    return nullptr;
  // Also the answer while a cycle is followed: only joins close one.
  auto [known, isNew] = known_.try_emplace(instruction, around);
  if (!isNew)
    return known->second;
  const llvm::Loop *result = compute(*instruction, around);
  return known_[instruction] = result;
}

const llvm::Loop *Invariance::compute(const llvm::Instruction &instruction,
                                      const llvm::Loop *around) {
  if (llvm::isa<llvm::PHINode>(instruction))
    return around;
  if (instruction.mayReadFromMemory()) {
    const bool isKept =
        instruction.hasMetadata(accessHoisted) ||
        instruction.hasMetadata("ptx.param") ||
        instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    if (!isKept || !llvm::isa<llvm::LoadInst>(instruction))
      return around;
    return deeper(instruction.hasMetadata(accessHoisted)
                      ? around->getParentLoop()
                      : nullptr,
                  changesIn(instruction.getOperand(0)));
  }
  if (instruction.mayHaveSideEffects() ||
      llvm::isa<llvm::AllocaInst>(instruction))
    return around;
  const llvm::Loop *result = nullptr;
  for (const llvm::Value *operand : instruction.operands())
    result = deeper(result, changesIn(operand));
  return result;
}

} // namespace warplint
