#include "ir/fragments.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

static bool isMatrixProduct(const llvm::Value *value) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(value);
  if (!call)
    return false;
  if (auto *text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
    const llvm::StringRef code = text->getAsmString();
    return code.contains("mma.") && !code.contains("mma.load.") &&
           !code.contains("mma.store.");
  }
  const llvm::Function *callee = call->getCalledFunction();
  return callee && (callee->getName().starts_with("llvm.nvvm.mma.") ||
                    callee->getName().contains(".wmma.m"));
}

/// The values that a thread stores in one of its own variables.
static void addStoredIn(const llvm::AllocaInst &variable,
                        llvm::SetVector<const llvm::Value *> &values) {
  llvm::SetVector<const llvm::Value *> pointers;
  pointers.insert(&variable);
  for (size_t at = 0; at < pointers.size(); ++at)
    for (const llvm::User *user : pointers[at]->users()) {
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getPointerOperand() == pointers[at])
          values.insert(store->getValueOperand());
      } else if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst,
                           llvm::PHINode, llvm::SelectInst>(user)) {
        pointers.insert(user);
      }
    }
}

/// The values that one is made of, itself first; those of a matrix product end
/// there. `isAsItIs`: where nothing computes with them.
static llvm::SetVector<const llvm::Value *>
partsOf(llvm::ArrayRef<const llvm::Value *> from, bool isAsItIs) {
  constexpr unsigned most = 2000;
  llvm::SetVector<const llvm::Value *> values;
  values.insert(from.begin(), from.end());
  for (size_t at = 0; at < values.size() && at < most; ++at) {
    auto *value = llvm::dyn_cast<llvm::Instruction>(values[at]);
    if (!value || isMatrixProduct(value))
      continue;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) {
      if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(
              llvm::getUnderlyingObject(load->getPointerOperand())))
        addStoredIn(*variable, values);
      continue;
    }
    const bool computes =
        llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CallBase>(value);
    if (value->mayReadOrWriteMemory() || (isAsItIs && computes))
      continue;
    values.insert(value->op_begin(), value->op_end());
  }
  return values;
}

void readFragments(const AccessReader::Positions &positions, Kernel &kernel) {
  std::vector<const llvm::Value *> products;
  std::vector<std::pair<const llvm::StoreInst *, unsigned>> stores;
  if (positions.empty())
    return;
  for (const llvm::BasicBlock &block : *positions.begin()->first->getFunction())
    for (const llvm::Instruction &instruction : block)
      if (isMatrixProduct(&instruction))
        products.push_back(&instruction);
  if (products.empty())
    return;
  std::vector<const llvm::Value *> inputs;
  for (const llvm::Value *product : products)
    for (const llvm::Use &input : llvm::cast<llvm::CallBase>(product)->args())
      inputs.push_back(input);
  const auto taken = partsOf(inputs, /*isAsItIs=*/true);
  for (const auto &[instruction, index] : positions) {
    Access &access = kernel.accesses[index];
    if (access.space == Space::Local)
      continue;
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction))
      access.ofFragment =
          llvm::any_of(partsOf({store->getValueOperand()}, /*isAsItIs=*/false),
                       isMatrixProduct);
    else
      access.ofFragment =
          access.operation == Operation::Load && taken.contains(instruction);
  }
}

} // namespace warplint
