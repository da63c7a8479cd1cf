#include "ir/local_copies.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <vector>

namespace warplint {

namespace {

/// A number or a pointer in a structure, `at` bytes behind its start.
struct Part {
  uint64_t at;
  llvm::Type *type;
};

/// Appends the parts of a type; returns false if there are many.
bool appendParts(llvm::Type *type, uint64_t at, const llvm::DataLayout &layout,
                 std::vector<Part> &parts) {
  constexpr size_t most = 8;
  if (type->isSingleValueType()) {
    parts.push_back({at, type});
    return parts.size() <= most;
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    llvm::Type *element = array->getElementType();
    const uint64_t size = layout.getTypeAllocSize(element);
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      if (!appendParts(element, at + i * size, layout, parts))
        return false;
    return true;
  }
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure)
    return false;
  const llvm::StructLayout *offsets = layout.getStructLayout(structure);
  for (unsigned i = 0; i < structure->getNumElements(); ++i)
    if (!appendParts(structure->getElementType(i),
                     at + offsets->getElementOffset(i), layout, parts))
      return false;
  return true;
}

/// An element by a variable index stays in memory, and is one access.
bool isInLocal(const llvm::Value *pointer) {
  return llvm::isa<llvm::AllocaInst>(pointer->stripInBoundsConstantOffsets());
}

/// The type of the local that a copy reads or writes as a whole; null if there
/// is none.
llvm::Type *copiedType(const llvm::MemCpyInst &copy) {
  const llvm::DataLayout &layout = copy.getDataLayout();
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  for (const llvm::Value *side : {copy.getRawSource(), copy.getRawDest()})
    if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(side);
        own && length && !own->isArrayAllocation() &&
        layout.getTypeAllocSize(own->getAllocatedType()) ==
            length->getZExtValue())
      return own->getAllocatedType();
  return nullptr;
}

void copyByPart(llvm::MemCpyInst &copy, llvm::ArrayRef<Part> parts) {
  llvm::IRBuilder<> builder(&copy);
  for (const Part &part : parts) {
    auto in = [&](llvm::Value *whole) {
      return part.at ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                          whole, part.at)
                     : whole;
    };
    auto aligned = [&](llvm::MaybeAlign whole) {
      return llvm::commonAlignment(whole.valueOrOne(), part.at);
    };
    builder.CreateAlignedStore(
        builder.CreateAlignedLoad(part.type, in(copy.getRawSource()),
                                  aligned(copy.getSourceAlign())),
        in(copy.getRawDest()), aligned(copy.getDestAlign()));
  }
  copy.eraseFromParent();
}

} // namespace

void copyLocalsByPart(llvm::Function &function) {
  constexpr size_t many = 256;
  std::vector<std::pair<llvm::MemCpyInst *, llvm::Type *>> copies;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
        copy && !copy->isVolatile() && isInLocal(copy->getRawSource()) &&
        isInLocal(copy->getRawDest()))
      if (llvm::Type *type = copiedType(*copy))
        copies.push_back({copy, type});
  if (copies.size() < many)
    return;
  for (const auto &[copy, type] : copies)
    if (std::vector<Part> parts;
        appendParts(type, 0, function.getDataLayout(), parts))
      copyByPart(*copy, parts);
}

} // namespace warplint
