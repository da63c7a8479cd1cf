#include "source/coverage/instruction_watch.h"
#include "ir/ir_objects.h"
#include "ir/normalise.h"
#include "ir/read_ir.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

namespace {

struct Touch {
  const llvm::Value *pointer; ///< null: not known
  Operation operation;
};

/// The memory that an instruction touches on behalf of the source.
llvm::SmallVector<Touch, 2> touches(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {{load->getPointerOperand(), Operation::Load}};
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {{store->getPointerOperand(), Operation::Store}};
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {{atomic->getPointerOperand(), Operation::Atomic}};
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {{exchange->getPointerOperand(), Operation::Atomic}};
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || llvm::isa<llvm::DbgInfoIntrinsic>(call))
    return {};
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(call))
    return {{copy->getDest(), Operation::Store},
            {copy->getSource(), Operation::Load}};
  if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(call))
    return {{set->getDest(), Operation::Store}};
  const llvm::Function *callee = call->getCalledFunction();
  if (callee && (callee->getName() == passedMarker ||
                 callee->getName().starts_with("llvm.lifetime")))
    return {};
  // Any other call may be an atomic to the source.
  if (!call->mayReadOrWriteMemory() &&
      !llvm::isa<llvm::InlineAsm>(call->getCalledOperand()))
    return {};
  const llvm::Value *pointer = nullptr;
  for (const llvm::Value *argument : call->args())
    if (argument->getType()->isPointerTy())
      pointer = argument;
  return {{pointer, Operation::Atomic}};
}

/// The one value that is stored to a variable, as a parameter's is before the
/// first pass; null if there are several.
const llvm::Value *valueStoredTo(const llvm::AllocaInst *variable) {
  const llvm::Value *stored = nullptr;
  for (const llvm::User *user : variable->users()) {
    if (llvm::isa<llvm::LoadInst>(user))
      continue;
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store && store->getPointerOperand() == variable && !stored)
      stored = store->getValueOperand();
    else if (!llvm::isa<llvm::IntrinsicInst>(user))
      return nullptr;
  }
  return stored;
}

InstructionWatch::Whose whose(const llvm::Value *pointer) {
  if (!pointer)
    return InstructionWatch::Whose::Others;
  const llvm::Value *object = objectBehind(pointer);
  constexpr unsigned calls = 64; // that pass a reference on
  for (unsigned i = 0; i < calls; ++i) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(object);
    auto *variable =
        load ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand())
             : nullptr;
    const llvm::Value *stored = variable ? valueStoredTo(variable) : nullptr;
    if (!stored)
      break;
    object = objectBehind(stored);
  }
  if (llvm::isa<llvm::AllocaInst>(object))
    return InstructionWatch::Whose::Own;
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(object);
      argument && argument->hasByValAttr())
    return InstructionWatch::Whose::Own;
  auto *table = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return table && table->isConstant() ? InstructionWatch::Whose::Constants
                                      : InstructionWatch::Whose::Others;
}

} // namespace

void InstructionWatch::begin(llvm::Module &module, const Emitted &emitted) {
  for (llvm::Function &function : module) {
    const llvm::DISubprogram *subprogram = function.getSubprogram();
    if (function.isDeclaration() || !subprogram)
      continue;
    auto it = emitted.functions.find(function.getName().str());
    if (it != emitted.functions.end())
      functions_[it->second->getCanonicalDecl()].push_back(subprogram);
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (const llvm::DILocation *location = instruction.getDebugLoc())
        emitted_.insert(
            {subprogram, location->getLine(), location->getColumn()});
  }
}

void InstructionWatch::note(llvm::Function &function, Fates &fates,
                            bool present) {
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::DILocation *location = instruction.getDebugLoc();
    if (!location)
      continue;
    for (Touch touch : touches(instruction)) {
      Fate &fate = fates[{location->getScope()->getSubprogram(),
                          location->getLine(), location->getColumn(),
                          touch.operation, location->getInlinedAt()}];
      if (fate.look != look_)
        fate.whose = Whose::Own;
      fate.location = location;
      fate.look = look_;
      fate.whose = std::max(fate.whose, whose(touch.pointer));
      fate.isPresent |= present;
    }
  }
}

void InstructionWatch::look(llvm::Function &kernel) {
  ++look_;
  note(kernel, kernels_[kernel.getName().str()], /*present=*/false);
}

void InstructionWatch::end(llvm::Function &kernel) {
  ++look_;
  Fates &fates = kernels_[kernel.getName().str()];
  // A recursive function is not inlined.
  llvm::SmallVector<llvm::Function *, 4> work{&kernel};
  llvm::SmallPtrSet<llvm::Function *, 4> seen{&kernel};
  while (!work.empty()) {
    llvm::Function *function = work.pop_back_val();
    note(*function, fates, /*present=*/true);
    for (const llvm::Instruction &instruction : llvm::instructions(*function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (llvm::Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration() && seen.insert(callee).second)
          work.push_back(callee);
  }
}

const std::vector<const llvm::DISubprogram *> &
InstructionWatch::functionsOf(const clang::FunctionDecl *decl) const {
  static const std::vector<const llvm::DISubprogram *> none;
  auto it = functions_.find(decl->getCanonicalDecl());
  return it == functions_.end() ? none : it->second;
}

} // namespace warplint
