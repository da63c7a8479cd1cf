#include "ir/parameter_members.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace {

const llvm::DICompositeType *withoutNames(const llvm::DIType *type) {
  while (auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type)
      return nullptr;
    type = derived->getBaseType();
  }
  return llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
}

/// Bits of a member, a base or an element.
struct Part {
  const llvm::DIType *type = nullptr;
  std::string name;
  uint64_t offset = 0;
};

/// Returns the part of `type` that holds all of these bits.
std::optional<Part> elementAt(const llvm::DICompositeType &type, uint64_t bit) {
  const llvm::DIType *element = type.getBaseType();
  // A matrix would need one index for each of its dimensions.
  if (!element || !element->getSizeInBits() || type.getElements().size() != 1)
    return std::nullopt;
  const uint64_t index = bit / element->getSizeInBits();
  return Part{element, "[" + std::to_string(index) + "]",
              index * element->getSizeInBits()};
}

std::optional<Part> memberAt(const llvm::DICompositeType &type, uint64_t bit,
                             uint64_t bits) {
  if (type.getTag() == llvm::dwarf::DW_TAG_array_type)
    return elementAt(type, bit);
  if (type.getTag() == llvm::dwarf::DW_TAG_union_type)
    return std::nullopt;
  for (llvm::DINode *node : type.getElements()) {
    auto *member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (!member || member->isStaticMember())
      continue;
    const bool isBase = member->getTag() == llvm::dwarf::DW_TAG_inheritance;
    if (!isBase && member->getTag() != llvm::dwarf::DW_TAG_member)
      continue;
    const uint64_t begin = member->getOffsetInBits();
    const llvm::DIType *base = member->getBaseType();
    const uint64_t size =
        isBase && base ? base->getSizeInBits() : member->getSizeInBits();
    if (bit < begin || bit + bits > begin + size)
      continue;
    const bool isNamed = !isBase && !member->getName().empty();
    return Part{base, isNamed ? "." + member->getName().str() : "", begin};
  }
  return std::nullopt;
}

/// Returns true if the user knows the names of the members: of the user's own
/// classes, and of CUDA's int3 and dim3.
bool areMembersKnown(const llvm::DICompositeType &type, const Names &names) {
  if (type.getTag() == llvm::dwarf::DW_TAG_array_type)
    return true;
  const Names::File &file = names.file(type.getFile());
  const llvm::StringRef name = llvm::sys::path::filename(file.path);
  return !type.getName().empty() && (file.isUser || name == "vector_types.h" ||
                                     name == "warplint_cuda_minimal.h");
}

} // namespace

std::string parameterMember(const llvm::LoadInst &load, const Names &names) {
  const llvm::DataLayout &layout = load.getDataLayout();
  llvm::APInt offset(
      layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  auto *parameter = llvm::dyn_cast<llvm::Argument>(
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true));
  const llvm::DISubprogram *kernel = load.getFunction()->getSubprogram();
  if (!parameter || !parameter->hasByValAttr() || !kernel ||
      !kernel->getType() || offset.isNegative())
    return "";
  const llvm::DITypeRefArray types = kernel->getType()->getTypeArray();
  const unsigned position = parameter->getArgNo() + 1; // behind the result
  if (position >= types.size())
    return "";
  std::string name = parameter->getName().str();
  uint64_t bit = offset.getZExtValue() * 8;
  const uint64_t bits = layout.getTypeStoreSizeInBits(load.getType());
  const llvm::DIType *type = types[position];
  while (const llvm::DICompositeType *whole = withoutNames(type)) {
    std::optional<Part> part = memberAt(*whole, bit, bits);
    if (!part || !areMembersKnown(*whole, names))
      return "";
    name += part->name;
    bit -= part->offset;
    type = part->type;
  }
  return bit ? "" : name;
}

} // namespace warplint
