#include "ir/own_arrays.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace warplint {

static std::string typeText(const llvm::DIType *type) {
  if (!type)
    return "void";
  if (auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    if (!derived->getName().empty())
      return derived->getName().str();
    std::string base = typeText(derived->getBaseType());
    return derived->getTag() == llvm::dwarf::DW_TAG_pointer_type ? base + " *"
                                                                 : base;
  }
  auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (!composite || composite->getTag() != llvm::dwarf::DW_TAG_array_type)
    return type->getName().str();
  std::string text = typeText(composite->getBaseType());
  for (llvm::DINode *element : composite->getElements())
    if (auto *range = llvm::dyn_cast<llvm::DISubrange>(element))
      if (auto *count =
              llvm::dyn_cast_if_present<llvm::ConstantInt *>(range->getCount()))
        text += "[" + std::to_string(count->getZExtValue()) + "]";
  return text;
}

static bool holdsArray(const llvm::Type *type) {
  if (type->isArrayTy())
    return true;
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure && llvm::any_of(structure->elements(), holdsArray);
}

OwnArrays::OwnArrays(llvm::Function &function, const Names &names,
                     IrGraph &graph, Kernel &kernel)
    : names_(names), graph_(graph), kernel_(kernel) {
  nameVariables(function);
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      add(own);
}

/// Collects the names of variables from their debug records.
void OwnArrays::nameVariables(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      for (llvm::DbgVariableRecord &record :
           llvm::filterDbgVars(instruction.getDbgRecordRange()))
        // Assignment records name the variable of their address as well.
        if ((record.isDbgDeclare() || record.isDbgAssign()) &&
            record.getAddress())
          variables_.try_emplace(record.getAddress()->stripPointerCasts(),
                                 record.getVariable());
}

void OwnArrays::add(const llvm::AllocaInst *own) {
  const llvm::DILocalVariable *variable = variables_.lookup(own);
  if (!variable || !holdsArray(own->getAllocatedType()))
    return;
  const llvm::DataLayout &layout = own->getDataLayout();
  Array array;
  array.name = variable->getName().str();
  array.place = {names_.file(variable->getFile()).path, variable->getLine(), 0};
  array.inLibrary = !names_.isUser(array.place.file);
  array.bytes = layout.getTypeAllocSize(own->getAllocatedType());
  array.type = typeText(variable->getType());
  arrays_[own] = kernel_.arrays.size();
  graph_.object(own, {array.name, Space::Local, array.bytes});
  kernel_.arrays.push_back(std::move(array));
}

std::optional<unsigned> OwnArrays::find(const llvm::Value *object) const {
  const auto it = arrays_.find(object);
  return it == arrays_.end() ? std::nullopt : std::optional(it->second);
}

void OwnArrays::notePassed(const llvm::CallBase &marker) {
  const auto array = find(objectBehind(marker.getArgOperand(0)));
  const llvm::DILocation *location = marker.getDebugLoc();
  if (!array || !location)
    return;
  kernel_.arrays[*array].passedTo =
      location->getScope()->getSubprogram()->getName().str();
  kernel_.arrays[*array].passedAt =
      framesOf(location->getInlinedAt(), names_).place;
}

} // namespace warplint
