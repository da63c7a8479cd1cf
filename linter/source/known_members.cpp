#include "source/known_members.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
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

std::vector<std::pair<uint64_t, unsigned>>
integersIn(clang::QualType type, uint64_t offset, clang::ASTContext &context) {
  if (type->isIntegralOrEnumerationType())
    return {{offset, context.getTypeSizeInChars(type).getQuantity()}};
  if (const clang::ConstantArrayType *array =
          context.getAsConstantArrayType(type)) {
    clang::QualType element = array->getElementType();
    if (!element->isIntegralOrEnumerationType())
      return {};
    const unsigned bytes = context.getTypeSizeInChars(element).getQuantity();
    std::vector<std::pair<uint64_t, unsigned>> result;
    for (uint64_t i = 0; i < array->getSize().getZExtValue(); ++i)
      result.push_back({offset + i * bytes, bytes});
    return result;
  }
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->getNumBases() ||
      std::distance(record->field_begin(), record->field_end()) != 1)
    return {};
  return integersIn(record->field_begin()->getType(), offset, context);
}

} // namespace warplint
