#include "ir/normalise.h"
#include "ir/analyses.h"
#include "ir/fold_functions.h"
#include "ir/inline_calls.h"
#include "ir/local_copies.h"
#include "ir/open_atomics.h"
#include "ir/split_copies.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
}

namespace warplint {

std::unique_ptr<llvm::TargetMachine> deviceTarget(const llvm::Module &module) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
  });
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  assert(target && "LLVM is built with the NVPTX target");
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(module.getTargetTriple(), "sm_90", "+ptx80",
                                  llvm::TargetOptions(), std::nullopt));
}

bool isKernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

namespace {

/// Removes code that ends in a trap or a failed assertion: without it,
/// `assert(i < n)` is no branch.
void cutDeadEnds(llvm::Function &function) {
  std::vector<llvm::BasicBlock *> dead;
  for (llvm::BasicBlock &block : function)
    if (llvm::isa<llvm::UnreachableInst>(block.getTerminator()))
      dead.push_back(&block);
  for (llvm::BasicBlock *block : dead)
    if (block != &function.getEntryBlock())
      llvm::changeToUnreachable(&*block->getFirstInsertionPt());
}

/// Marks the pointers that are passed to a noinline function.
void markPassed(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::LLVMContext &context = module.getContext();
  llvm::FunctionCallee marker =
      module.getOrInsertFunction(passedMarker, llvm::Type::getVoidTy(context),
                                 llvm::PointerType::get(context, 0));
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  if (llvm::DISubprogram *subprogram = function.getSubprogram())
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(context, subprogram->getLine(), 0, subprogram));
  for (llvm::Argument &argument : function.args())
    if (argument.getType()->isPointerTy() &&
        argument.getType()->getPointerAddressSpace() == 0)
      builder.CreateCall(marker, {&argument});
}

/// Forgets the names of what is no variable: nothing asks for them, and each
/// call that is inlined makes new ones of them.
void forgetNames(llvm::Function &callee) {
  for (llvm::BasicBlock &block : callee) {
    block.setName("");
    for (llvm::Instruction &instruction : block)
      if (!instruction.getType()->isPointerTy())
        instruction.setName("");
  }
}

/// Says of each function that it is inlined, and marks what the source says
/// otherwise.
void allowInlining(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    cutDeadEnds(function);
    openAtomics(function);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (isKernel(function))
      continue;
    forgetNames(function);
    if (function.hasFnAttribute(llvm::Attribute::NoInline)) {
      markPassed(function);
      if (llvm::DISubprogram *subprogram = function.getSubprogram())
        module.getOrInsertNamedMetadata(calledFunctions)
            ->addOperand(subprogram);
    }
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        call->removeFnAttr(llvm::Attribute::NoInline);
}

/// Replaces values extracted from a structure, such as a returned one, by the
/// inserted values; returns true if there were any.
bool openStructures(llvm::Function &function) {
  std::vector<llvm::ExtractValueInst *> opened;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
      if (llvm::Value *value = llvm::FindInsertedValue(
              part->getAggregateOperand(), part->getIndices());
          value && value != part) {
        part->replaceAllUsesWith(value);
        opened.push_back(part);
      }
  for (llvm::ExtractValueInst *part : opened)
    part->eraseFromParent();
  return !opened.empty();
}

bool isWritten(const llvm::Value *pointer) {
  return llvm::any_of(pointer->users(), [&](const llvm::User *user) {
    if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastInst>(user))
      return isWritten(user);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getPointerOperand() == pointer;
    auto *set = llvm::dyn_cast<llvm::MemIntrinsic>(user);
    return set && set->getRawDest() == pointer;
  });
}

/// Turns a structure passed by value that the kernel writes to into a local.
void copyWrittenArguments(llvm::Function &kernel) {
  for (llvm::Argument &argument : kernel.args()) {
    if (!argument.hasByValAttr() || !isWritten(&argument))
      continue;
    llvm::Type *type = argument.getParamByValType();
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst *own =
        builder.CreateAlloca(type, nullptr, argument.getName());
    argument.replaceAllUsesWith(own);
    llvm::MaybeAlign align = argument.getParamAlign();
    own->setAlignment(align.valueOrOne());
    builder.CreateMemCpy(
        own, align, &argument, align,
        kernel.getParent()->getDataLayout().getTypeAllocSize(type));
  }
}

/// Analyses for passes that call `watch` with each kernel before they change
/// it.
struct Watched {
  llvm::PassInstrumentationCallbacks callbacks;
  Analyses analyses;

  Watched(llvm::TargetMachine &target,
          const std::function<void(llvm::Function &)> &watch)
      : analyses(target, &callbacks) {
    if (watch)
      callbacks.registerBeforeNonSkippedPassCallback(
          [watch](llvm::StringRef, llvm::Any unit) {
            auto *function = llvm::any_cast<const llvm::Function *>(&unit);
            if (function && isKernel(**function))
              watch(const_cast<llvm::Function &>(**function));
          });
  }
};

/// Forgets which variable a value was: only variables that stay in memory have
/// names, which stand behind them, since blocks go that hold nothing else. To
/// keep track of the others takes the passes as long as their code.
struct ForgetValues : llvm::PassInfoMixin<ForgetValues> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &) {
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      for (llvm::DbgVariableRecord &record : llvm::make_early_inc_range(
               llvm::filterDbgVars(instruction.getDbgRecordRange())))
        if (record.isDbgValue() || willBeValue(record))
          record.eraseFromParent();
        else
          moveToVariable(record);
    }
    return llvm::PreservedAnalyses::all();
  }

private:
  static void moveToVariable(llvm::DbgVariableRecord &record) {
    auto *own = llvm::dyn_cast_or_null<llvm::AllocaInst>(record.getAddress());
    if (!own || !record.isDbgDeclare() ||
        own->getNextNode() == record.getInstruction())
      return;
    record.removeFromParent();
    own->getParent()->insertDbgRecordAfter(&record, own);
  }

  static bool willBeValue(const llvm::DbgVariableRecord &record) {
    auto *own = llvm::dyn_cast_or_null<llvm::AllocaInst>(record.getAddress());
    return own && llvm::isAllocaPromotable(own);
  }
};

llvm::FunctionPassManager promoteLocals() {
  llvm::FunctionPassManager passes;
  passes.addPass(ForgetValues());
  passes.addPass(llvm::PromotePass());
  return passes;
}

/// Returns true if a function has locals in memory, and if all its copies of
/// structures are between them. How SROA splits others depends on whose memory
/// they lead to.
bool splitsLocals(const llvm::Function &function) {
  bool hasLocals = false;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    hasLocals |= llvm::isa<llvm::AllocaInst>(instruction);
    auto *change = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    if (change && !isBetweenLocals(*change))
      return false;
  }
  return hasLocals;
}

/// No pass that merges, moves or speculates accesses.
llvm::SimplifyCFGPass straighten() {
  llvm::SimplifyCFGOptions careful;
  careful.hoistCommonInsts(false)
      .sinkCommonInsts(false)
      .speculateBlocks(false)
      .convertSwitchToLookupTable(false)
      .convertSwitchRangeToICmp(false)
      .bonusInstThreshold(0);
  return llvm::SimplifyCFGPass(careful);
}

/// The passes that make values of a function's locals.
llvm::FunctionPassManager splitLocals() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(ForgetValues());
  passes.addPass(llvm::SCCPPass());
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(straighten());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(ForgetValues());
  return passes;
}

/// The passes that make a loop of a function that calls itself last, as nvcc
/// does.
llvm::FunctionPassManager loopTailCalls() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SCCPPass());
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(straighten());
  passes.addPass(llvm::TailCallElimPass());
  return passes;
}

} // namespace

void simplify(llvm::Function &function,
              llvm::FunctionAnalysisManager &analyses) {
  // No EarlyCSE, no LICM, no InstCombine, no unrolling.
  llvm::FunctionPassManager passes = splitLocals();
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::InferAddressSpacesPass());
  passes.addPass(straighten());
  passes.addPass(llvm::LoopSimplifyPass());
  // Some lengths become constant, some structures values, and some locals
  // free of what kept them in memory only in an earlier round.
  bool isChanged;
  do {
    const unsigned before = function.getInstructionCount();
    passes.run(function, analyses);
    isChanged = false;
    for (auto change : {splitCopies, splitSets, fillTables, openStructures,
                        openCopies, foldFunctions})
      isChanged |= change(function);
    isChanged |= function.getInstructionCount() != before;
    analyses.clear(function, function.getName());
  } while (isChanged);
}

namespace {

class Normaliser {
public:
  Normaliser(llvm::Module &module, llvm::TargetMachine &target,
             const std::function<void(llvm::Function &)> &watch)
      : watched_(target, watch), isWatched_(watch),
        inliner_(module, watched_.analyses.functions,
                 [this](llvm::Function &callee) {
                   // Promoting in small functions is faster than after
                   // inlining, but a watch sees kernels alone.
                   if (isWatched_)
                     return;
                   promote(callee);
                   if (calledBy(callee).contains(&callee))
                     loop(callee);
                   split(callee);
                 }) {}

  void run(llvm::Function &kernel) {
    if (!isWatched_)
      promote(kernel);
    // A function passed to a function that is passed itself takes one more
    // round.
    constexpr unsigned rounds = 9;
    unsigned round = 0;
    while (round < rounds && inliner_.inlineInto(kernel)) {
      ++round;
      // Only now is it known which pointers lead to a thread's own objects.
      promote(kernel);
    }
    copyWrittenArguments(kernel);
    finish(kernel);
    // Members of structures are known only now.
    while (round < rounds && inliner_.inlineInto(kernel)) {
      ++round;
      promote(kernel);
      finish(kernel);
    }
    finishRecursion(kernel);
  }

private:
  void promote(llvm::Function &function) {
    locals_.run(function, watched_.analyses.functions);
    watched_.analyses.functions.clear(function, function.getName());
  }

  void loop(llvm::Function &callee) {
    tailCalls_.run(callee, watched_.analyses.functions);
    watched_.analyses.functions.clear(callee, callee.getName());
  }

  /// The time that SROA takes for one variable grows with the function, and
  /// what it leaves is copied to each call.
  void split(llvm::Function &callee) {
    if (!splitsLocals(callee))
      return;
    parts_.run(callee, watched_.analyses.functions);
    watched_.analyses.functions.clear(callee, callee.getName());
  }

  void finish(llvm::Function &function) {
    splitCopies(function);
    splitSets(function);
    copyLocalsByPart(function);
    simplify(function, watched_.analyses.functions);
  }

  /// Each call that is left recurs, and its function is read once.
  void finishRecursion(llvm::Function &function) {
    for (llvm::Function *recursive : calledBy(function))
      if (finished_.insert(recursive).second) {
        finish(*recursive);
        finishRecursion(*recursive);
      }
  }

  Watched watched_;
  const bool isWatched_;
  llvm::FunctionPassManager locals_ = promoteLocals(), parts_ = splitLocals(),
                            tailCalls_ = loopTailCalls();
  Inliner inliner_;
  llvm::DenseSet<llvm::Function *> finished_;
};

void removeUncalled(llvm::Module &module, llvm::TargetMachine &target) {
  Analyses analyses(target);
  llvm::GlobalDCEPass().run(module, analyses.modules);
}

} // namespace

void normaliseEach(llvm::Module &module, llvm::TargetMachine &target,
                   llvm::function_ref<void(llvm::Function &)> use,
                   const std::function<void(llvm::Function &)> &watch) {
  allowInlining(module);
  removeUncalled(module, target);
  std::vector<llvm::Function *> kernels;
  for (llvm::Function &function : module)
    if (isKernel(function) && !function.isDeclaration())
      kernels.push_back(&function);
  Normaliser normaliser(module, target, watch);
  for (llvm::Function *kernel : kernels) {
    normaliser.run(*kernel);
    use(*kernel);
  }
}

void normalise(llvm::Module &module, llvm::TargetMachine &target,
               const std::function<void(llvm::Function &)> &watch) {
  normaliseEach(
      module, target, [](llvm::Function &) {}, watch);
  removeUncalled(module, target);
}

} // namespace warplint
