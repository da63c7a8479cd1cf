#include "ir/normalise.h"
#include "ir/analyses.h"
#include "ir/inline_calls.h"
#include "ir/local_copies.h"
#include "ir/open_atomics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ConstantFolding.h"
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
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <cmath>
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

/// SROA drops custom metadata but keeps access groups.
void markCopy(llvm::Instruction &half) {
  half.setMetadata("warplint.copy", llvm::MDNode::get(half.getContext(), {}));
  half.setMetadata(llvm::LLVMContext::MD_access_group,
                   llvm::MDNode::getDistinct(half.getContext(), {}));
}

/// Splits a copy of known size into the loads and stores that its alignment
/// allows. Accesses to memory outside the thread are volatile, or SROA would
/// split them by the fields that are used. An initialiser's values are known;
/// it is not memory that the source accesses.
class CopySplitter {
public:
  explicit CopySplitter(llvm::MemCpyInst &copy) : copy_(copy) {}

  void run() {
    uint64_t bytes =
        llvm::cast<llvm::ConstantInt>(copy_.getLength())->getZExtValue();
    bool fromOwn = isOwn(copy_.getSource()), toOwn = isOwn(copy_.getDest());
    bool isKnown = isInitialiser(copy_.getSource());
    uint64_t widest = 16;
    if (!fromOwn)
      widest = std::min(widest, copy_.getSourceAlign().valueOrOne().value());
    if (!toOwn)
      widest = std::min(widest, copy_.getDestAlign().valueOrOne().value());
    llvm::IRBuilder<> builder(&copy_);
    builder.SetCurrentDebugLocation(copy_.getDebugLoc());
    for (uint64_t at = 0; at < bytes;) {
      uint64_t size = widest;
      while (size > bytes - at)
        size /= 2;
      llvm::Value *from = offset(builder, copy_.getSource(), at);
      llvm::Value *to = offset(builder, copy_.getDest(), at);
      llvm::LoadInst *load =
          builder.CreateAlignedLoad(builder.getIntNTy(size * 8), from,
                                    llvm::MaybeAlign(fromOwn ? 1 : size));
      load->setVolatile(!fromOwn && !isKnown);
      llvm::StoreInst *store = builder.CreateAlignedStore(
          load, to, llvm::MaybeAlign(toOwn ? 1 : size));
      store->setVolatile(!toOwn);
      // Records that the source did not say volatile.
      for (llvm::Instruction *half : {static_cast<llvm::Instruction *>(load),
                                      static_cast<llvm::Instruction *>(store)})
        markCopy(*half);
      at += size;
    }
    copy_.eraseFromParent();
  }

  static bool splits(const llvm::MemCpyInst &copy) {
    auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    return length && length->getZExtValue() <= 512 && !copy.isVolatile() &&
           !((isOwn(copy.getSource()) || isInitialiser(copy.getSource())) &&
             isOwn(copy.getDest()));
  }

  /// Returns true for a copy between what is the function's own, or a set of
  /// it, whose memory no caller has.
  static bool isInside(const llvm::MemIntrinsic &change) {
    auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&change);
    return isAlloca(change.getRawDest()) &&
           (!copy || isAlloca(copy->getRawSource()) ||
            isInitialiser(copy->getRawSource()));
  }

private:
  static bool isAlloca(const llvm::Value *pointer) {
    return llvm::isa<llvm::AllocaInst>(pointer->stripInBoundsOffsets());
  }
  /// Returns true for the compiler's own constant, which SROA turns into
  /// values.
  static bool isInitialiser(const llvm::Value *pointer) {
    auto *constant =
        llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripInBoundsOffsets());
    return constant && constant->isConstant() && constant->hasPrivateLinkage();
  }
  static bool isOwn(const llvm::Value *pointer) {
    const llvm::Value *object = pointer->stripInBoundsOffsets();
    auto *argument = llvm::dyn_cast<llvm::Argument>(object);
    return llvm::isa<llvm::AllocaInst>(object) ||
           (argument && argument->hasByValAttr());
  }
  static llvm::Value *offset(llvm::IRBuilder<> &builder, llvm::Value *pointer,
                             uint64_t bytes) {
    return bytes == 0 ? pointer
                      : builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer,
                                                   bytes);
  }
  llvm::MemCpyInst &copy_;
};

/// Splits a memset of a constant into stores, like a copy.
void splitSet(llvm::MemSetInst &set) {
  uint64_t bytes =
      llvm::cast<llvm::ConstantInt>(set.getLength())->getZExtValue();
  uint64_t widest =
      std::min<uint64_t>(16, set.getDestAlign().valueOrOne().value());
  const llvm::APInt &byte =
      llvm::cast<llvm::ConstantInt>(set.getValue())->getValue();
  llvm::IRBuilder<> builder(&set);
  builder.SetCurrentDebugLocation(set.getDebugLoc());
  for (uint64_t at = 0; at < bytes;) {
    uint64_t size = widest;
    while (size > bytes - at)
      size /= 2;
    llvm::Value *to =
        builder.CreateConstGEP1_64(builder.getInt8Ty(), set.getRawDest(), at);
    llvm::StoreInst *store = builder.CreateAlignedStore(
        builder.getInt(llvm::APInt::getSplat(size * 8, byte)), to,
        llvm::MaybeAlign(size), /*isVolatile=*/true);
    markCopy(*store);
    at += size;
  }
  set.eraseFromParent();
}

bool splits(const llvm::MemSetInst &set) {
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(set.getLength());
  return length && length->getZExtValue() <= 512 && !set.isVolatile() &&
         llvm::isa<llvm::ConstantInt>(set.getValue()) &&
         !llvm::isa<llvm::AllocaInst>(set.getRawDest()->stripInBoundsOffsets());
}

bool splitSets(llvm::Function &function) {
  std::vector<llvm::MemSetInst *> sets;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
      if (splits(*set))
        sets.push_back(set);
  for (llvm::MemSetInst *set : sets)
    splitSet(*set);
  return !sets.empty();
}

const llvm::Type *elementOf(const llvm::Type *type) {
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return type;
}

/// Fills a table element by element if SROA leaves it in memory because its
/// index is not constant, so that the value of each element is known.
bool fillTables(llvm::Function &function) {
  std::vector<llvm::MemCpyInst *> fills;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *fill = llvm::dyn_cast<llvm::MemCpyInst>(&instruction)) {
      auto *length = llvm::dyn_cast<llvm::ConstantInt>(fill->getLength());
      auto *table = llvm::dyn_cast<llvm::GlobalVariable>(fill->getSource());
      auto *own = llvm::dyn_cast<llvm::AllocaInst>(fill->getDest());
      if (length && own && table && table->isConstant() &&
          table->hasInitializer() &&
          elementOf(table->getValueType())->isIntegerTy() &&
          length->getZExtValue() <= 256)
        fills.push_back(fill);
    }
  const llvm::DataLayout &layout = function.getDataLayout();
  for (llvm::MemCpyInst *fill : fills) {
    auto *table = llvm::cast<llvm::GlobalVariable>(fill->getSource());
    auto *element = const_cast<llvm::Type *>(elementOf(table->getValueType()));
    uint64_t size = layout.getTypeStoreSize(element);
    uint64_t bytes =
        llvm::cast<llvm::ConstantInt>(fill->getLength())->getZExtValue();
    llvm::IRBuilder<> builder(fill);
    builder.SetCurrentDebugLocation(fill->getDebugLoc());
    for (uint64_t at = 0; at + size <= bytes; at += size)
      if (llvm::Constant *value = llvm::ConstantFoldLoadFromConst(
              table->getInitializer(), element, llvm::APInt(64, at), layout))
        builder.CreateStore(value,
                            builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                                       fill->getDest(), at));
    fill->eraseFromParent();
  }
  return !fills.empty();
}

/// Splits the copies; returns true if there were any.
bool splitCopies(llvm::Function &function) {
  std::vector<llvm::MemCpyInst *> copies;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction))
      if (CopySplitter::splits(*copy))
        copies.push_back(copy);
  for (llvm::MemCpyInst *copy : copies)
    CopySplitter(*copy).run();
  return !copies.empty();
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

/// Makes copies non-volatile, for SROA, whose pointer was resolved to an object
/// of the thread's own; returns true if there were any.
bool openCopies(llvm::Function &function) {
  bool any = false;
  auto open = [&](auto *half) {
    if (!half || !half->isVolatile() ||
        !llvm::isa<llvm::AllocaInst>(
            half->getPointerOperand()->stripInBoundsOffsets()))
      return;
    half->setVolatile(false);
    any = true;
  };
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.hasMetadata(llvm::LLVMContext::MD_access_group)) {
      open(llvm::dyn_cast<llvm::LoadInst>(&instruction));
      open(llvm::dyn_cast<llvm::StoreInst>(&instruction));
    }
  return any;
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
    if (change && !CopySplitter::isInside(*change))
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

/// Returns the function of one number that libdevice's of this name computes;
/// null for others.
double (*numberFunction(llvm::StringRef name))(double) {
  using Function = double (*)(double);
  name.consume_front("__nv_fast_") || name.consume_front("__nv_");
  auto of = [](llvm::StringRef name) {
    return llvm::StringSwitch<Function>(name)
        .Case("sin", [](double x) { return std::sin(x); })
        .Case("cos", [](double x) { return std::cos(x); })
        .Case("tan", [](double x) { return std::tan(x); })
        .Case("atan", [](double x) { return std::atan(x); })
        .Case("exp", [](double x) { return std::exp(x); })
        .Case("exp2", [](double x) { return std::exp2(x); })
        .Case("log", [](double x) { return std::log(x); })
        .Case("log2", [](double x) { return std::log2(x); })
        .Case("log10", [](double x) { return std::log10(x); })
        .Case("sqrt", [](double x) { return std::sqrt(x); })
        .Default(nullptr);
  };
  if (const Function found = of(name))
    return found;
  return name.consume_back("f") ? of(name) : nullptr;
}

/// Computes functions of constants, 'cosf(30 * PI / 180)', as nvcc does.
bool foldFunctions(llvm::Function &function) {
  bool isChanged = false;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || call->arg_size() != 1 ||
        !callee->getName().starts_with("__nv_") ||
        call->getType() != call->getArgOperand(0)->getType())
      continue;
    auto *argument = llvm::dyn_cast<llvm::ConstantFP>(call->getArgOperand(0));
    auto *compute = numberFunction(callee->getName());
    if (!argument || !compute)
      continue;
    llvm::APFloat number = argument->getValueAPF();
    bool losesInfo = false;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    call->replaceAllUsesWith(llvm::ConstantFP::get(
        call->getType(), compute(number.convertToDouble())));
    call->eraseFromParent();
    isChanged = true;
  }
  return isChanged;
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
  llvm::FunctionPassManager locals_ = promoteLocals(), parts_ = splitLocals();
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
