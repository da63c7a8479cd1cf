#include "ir/ir_objects.h"
#include "base/readable_name.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace warplint {

const llvm::Value *objectBehind(const llvm::Value *pointer) {
  constexpr unsigned far = 20; // address computations in a row
  const llvm::Value *object = llvm::getUnderlyingObject(pointer, far);
  llvm::SmallVector<const llvm::Value *, 4> all;
  llvm::getUnderlyingObjects(pointer, all, nullptr, far);
  // A pointer that a loop increments is also computed from itself.
  llvm::erase_if(all, [](const llvm::Value *value) {
    return llvm::isa<llvm::PHINode>(value);
  });
  return all.size() == 1 ? all.front() : object;
}

bool isOfOtherBlock(const llvm::Value *object) {
  // PTX adds the index to the number.
  constexpr unsigned far = 8;
  llvm::SmallVector<const llvm::Value *> open{object};
  for (unsigned i = 0; i < far && !open.empty(); ++i) {
    const llvm::Value *value = open.pop_back_val();
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(value)) {
      const llvm::Function *callee = call->getCalledFunction();
      const llvm::StringRef name = callee ? callee->getName() : "";
      if (name.starts_with("llvm.nvvm.mapa") || name.starts_with("ptx.mapa"))
        return true;
      continue;
    }
    auto *made = llvm::dyn_cast<llvm::Instruction>(value);
    if (made && (llvm::isa<llvm::CastInst>(made) ||
                 made->getOpcode() == llvm::Instruction::Add))
      open.append(made->value_op_begin(), made->value_op_end());
  }
  return false;
}

bool isInConstantMemory(const llvm::GlobalVariable &variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> debug;
  variable.getDebugInfo(debug);
  // Clang puts every `const` variable into constant memory, also those inside
  // functions; nvcc does not.
  bool isLocal = !debug.empty() && llvm::isa_and_nonnull<llvm::DILocalScope>(
                                       debug[0]->getVariable()->getScope());
  if (variable.getAddressSpace() == 4)
    return !isLocal && !variable.hasMetadata("warplint.global");
  return variable.isConstant() && variable.hasPrivateLinkage();
}

std::string plainName(llvm::StringRef name) {
  for (llvm::StringRef suffix : {".addr", ".coerce", ".indirect"})
    if (size_t at = name.find(suffix); at != llvm::StringRef::npos)
      name = name.take_front(at);
  return name.str();
}

std::string plainFunction(const llvm::Function &function) {
  if (llvm::DISubprogram *subprogram = function.getSubprogram())
    return subprogram->getName().str();
  std::string name = llvm::demangle(function.getName());
  return name.substr(0, name.find('('));
}

/// Sets the bytes of a row and of an element of an array of arrays.
static void setRows(llvm::Type *type, const llvm::DataLayout &layout,
                    Object &object) {
  auto *outer = llvm::dyn_cast<llvm::ArrayType>(type);
  auto *row = outer ? llvm::dyn_cast<llvm::ArrayType>(outer->getElementType())
                    : nullptr;
  if (!row)
    return;
  while (auto *inner = llvm::dyn_cast<llvm::ArrayType>(row->getElementType()))
    row = inner;
  object.rowBytes = layout.getTypeAllocSize(row);
  object.elementBytes = layout.getTypeAllocSize(row->getElementType());
}

Object objectOfVariable(const llvm::GlobalVariable &variable) {
  const llvm::DataLayout &layout = variable.getDataLayout();
  llvm::Type *type = variable.getValueType();
  const Space space = variable.getAddressSpace() == 3 ? Space::Shared
                      : isInConstantMemory(variable)  ? Space::Constant
                                                      : Space::Global;
  Object object{readableVariableName(variable.getName()), space,
                layout.getTypeAllocSize(type)};
  setRows(type, layout, object);
  return object;
}

Object objectOfLocal(const llvm::AllocaInst &own) {
  return {plainName(own.getName()), Space::Local,
          own.getDataLayout().getTypeAllocSize(own.getAllocatedType())};
}

Object objectOfArgument(const llvm::Argument &argument) {
  std::string name = plainName(argument.getName());
  if (argument.hasByValAttr())
    return {name, Space::Parameter,
            argument.getPassPointeeByValueCopySize(
                argument.getParent()->getDataLayout())};
  return {name, Space::Global, 0};
}

} // namespace warplint
