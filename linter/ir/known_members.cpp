#include "ir/known_members.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace warplint {

void replaceMembers(llvm::Function &kernel, const llvm::Value &base,
                    const KnownMembers &members) {
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->getType()->isIntegerTy() ||
        (load->isVolatile() && !load->getMetadata("warplint.copy")))
      continue;
    llvm::APInt offset(
        layout.getIndexTypeSizeInBits(load->getPointerOperand()->getType()), 0);
    const llvm::Value *object =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(
            layout, offset, /*AllowNonInbounds=*/true);
    if (object != &base)
      continue;
    auto member = members.find(offset.getZExtValue());
    if (member == members.end() ||
        load->getType()->getIntegerBitWidth() != 8 * member->second.bytes)
      continue;
    auto *value = llvm::ConstantInt::get(load->getType(), member->second.value);
    if (member->second.isCertain) {
      load->replaceAllUsesWith(value);
      load->eraseFromParent();
    } else {
      load->setMetadata(
          usualValue, llvm::MDNode::get(load->getContext(),
                                        llvm::ConstantAsMetadata::get(value)));
    }
  }
}

} // namespace warplint
