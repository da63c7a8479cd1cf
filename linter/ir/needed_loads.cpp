#include "ir/needed_loads.h"
#include "ir/analyses.h"
#include "ir/index_marks.h"
#include "ir/normalise.h"
#include "llvm/ADT/PriorityWorklist.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace warplint {

namespace {

/// A load and its copy in the clone; null once it is deleted there.
struct Tracked {
  llvm::LoadInst *load;
  llvm::WeakVH clone;
};

std::vector<Tracked> trackedLoads(llvm::Module &module,
                                  llvm::ValueToValueMapTy &clones) {
  std::vector<Tracked> loads;
  for (llvm::Function &function : module)
    if (isKernel(function))
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
          loads.push_back(
              {load, static_cast<llvm::Value *>(clones.lookup(load))});
  return loads;
}

/// cicc ignores type-based alias hints: a store of a float may change an int
/// (seen in the PTX of CUDA 13.0).
void forgetTypes(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa_struct, nullptr);
    }
}

/// Accesses made volatile only to keep copies whole are ordinary here.
void forgetCopies(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!instruction.hasMetadata("warplint.copy"))
        continue;
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        load->setVolatile(false);
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        store->setVolatile(false);
    }
}

/// libdevice functions, whose bodies are not linked in: mathematics, which
/// reads no memory and writes only a second result (`sincos`).
void describeLibdevice(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.isDeclaration() || !function.getName().starts_with("__nv_"))
      continue;
    bool hasResultMemory =
        llvm::any_of(function.args(), [](const llvm::Argument &argument) {
          return argument.getType()->isPointerTy();
        });
    function.setMemoryEffects(hasResultMemory
                                  ? llvm::MemoryEffects::argMemOnly()
                                  : llvm::MemoryEffects::none());
    function.addFnAttr(llvm::Attribute::WillReturn);
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

/// After `*a = *b`, LLVM knows the value of `*b` even if a and b alias, since
/// it is the same either way. cicc loads it again (measured), so the clone
/// stores a different value.
void hideCopiedValues(llvm::Module &module) {
  std::vector<llvm::StoreInst *> copies;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        if (llvm::isa<llvm::LoadInst>(store->getValueOperand()))
          copies.push_back(store);
  for (llvm::StoreInst *store : copies)
    store->setOperand(0, new llvm::FreezeInst(store->getValueOperand(), "",
                                              store->getIterator()));
}

/// Limit in instructions. The time of these passes grows faster than the
/// kernel; in a larger kernel all loads count as needed each time.
constexpr unsigned largest = 20'000;

/// Rotates loops as LLVM's pass does, without scalar evolution and dominators:
/// nothing asks the one here, and to keep the other up to date loop by loop
/// takes longer than the rotations and one computation after them.
struct RotateLoops : llvm::PassInfoMixin<RotateLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager) {
    auto &loops = manager.getResult<llvm::LoopAnalysis>(function);
    if (loops.empty())
      return llvm::PreservedAnalyses::all();
    auto &assumptions = manager.getResult<llvm::AssumptionAnalysis>(function);
    const llvm::SimplifyQuery query(
        function.getDataLayout(),
        &manager.getResult<llvm::TargetLibraryAnalysis>(function),
        /*DT=*/nullptr, &assumptions);
    constexpr unsigned instructionsDuplicated = 16; // as in LLVM's pass
    llvm::SmallPriorityWorklist<llvm::Loop *, 4> open;
    llvm::appendLoopsToWorklist(loops, open);
    while (!open.empty())
      llvm::LoopRotation(open.pop_back_val(), &loops,
                         &manager.getResult<llvm::TargetIRAnalysis>(function),
                         &assumptions, /*DT=*/nullptr, /*SE=*/nullptr,
                         /*MSSAU=*/nullptr, query, /*RotationOnly=*/false,
                         instructionsDuplicated, /*IsUtilMode=*/false);
    llvm::PreservedAnalyses preserved;
    preserved.preserve<llvm::LoopAnalysis>();
    return preserved;
  }
};

/// Variables' places and names have no effect on loads, and take the passes as
/// long as the code.
void forgetVariables(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      instruction.dropDbgRecords();
}

void removeRedundantLoads(llvm::Module &module, llvm::TargetMachine &target) {
  Analyses analyses(target);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.addPass(RotateLoops());
  passes.addPass(
      llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                            /*UseMemorySSA=*/true));
  passes.addPass(llvm::GVNPass());
  for (llvm::Function &function : module)
    if (isKernel(function) && !function.isDeclaration() &&
        function.getInstructionCount() <= largest)
      passes.run(function, analyses.functions);
}

/// Returns true for a variable that only takes a second result of a function of
/// libdevice, 'sincosf(x, &s, &c)': the compiler inlines that, and a register
/// has the value.
bool isSecondResult(const llvm::LoadInst &load) {
  auto *variable = llvm::dyn_cast<llvm::AllocaInst>(
      load.getPointerOperand()->stripPointerCasts());
  if (!variable || variable->isArrayAllocation() ||
      !variable->getAllocatedType()->isFloatingPointTy())
    return false;
  bool isResult = false;
  llvm::SmallVector<const llvm::Value *> open = {variable};
  while (!open.empty()) {
    const llvm::Value *pointer = open.pop_back_val();
    for (const llvm::User *user : pointer->users()) {
      if (llvm::isa<llvm::AddrSpaceCastInst, llvm::BitCastInst>(user)) {
        open.push_back(user);
        continue;
      }
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
        const llvm::Function *callee = call->getCalledFunction();
        const bool isLibdevice =
            callee && callee->getName().starts_with("__nv_");
        if (!isLibdevice && !call->isLifetimeStartOrEnd())
          return false;
        isResult |= isLibdevice;
        continue;
      }
      auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (!llvm::isa<llvm::LoadInst>(user) &&
          !(store && store->getValueOperand() != pointer))
        return false;
    }
  }
  return isResult;
}

unsigned depth(const llvm::Loop *loop) {
  return loop ? loop->getLoopDepth() : 0;
}

/// Returns the innermost loop of an instruction in the original module.
class LoopsOf {
public:
  const llvm::Loop *loopAround(const llvm::Instruction &instruction) {
    return of(*instruction.getFunction()).getLoopFor(instruction.getParent());
  }

private:
  const llvm::LoopInfo &of(const llvm::Function &function) {
    if (&function != function_) {
      function_ = &function;
      llvm::DominatorTree dominators(const_cast<llvm::Function &>(function));
      info_ = std::make_unique<llvm::LoopInfo>(dominators);
    }
    return *info_;
  }
  const llvm::Function *function_ = nullptr;
  std::unique_ptr<llvm::LoopInfo> info_;
};

} // namespace

void markNeededLoads(llvm::Module &module, llvm::TargetMachine &target) {
  llvm::ValueToValueMapTy clones;
  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(module, clones);
  std::vector<Tracked> loads = trackedLoads(module, clones);
  forgetIndexMarks(*clone);
  forgetVariables(*clone);
  forgetTypes(*clone);
  forgetCopies(*clone);
  describeLibdevice(*clone);
  hideCopiedValues(*clone);
  removeRedundantLoads(*clone, target);

  LoopsOf before, after;
  llvm::LLVMContext &context = module.getContext();
  auto mark = [&](llvm::LoadInst *load, const char *kind) {
    load->setMetadata(kind, llvm::MDNode::get(context, {}));
  };
  for (const Tracked &tracked : loads) {
    llvm::Value *left = tracked.clone;
    const llvm::Loop *loop = before.loopAround(*tracked.load);
    if (!left || isSecondResult(*tracked.load))
      mark(tracked.load, loadRemoved);
    else if (loop &&
             depth(after.loopAround(*llvm::cast<llvm::Instruction>(left))) <
                 loop->getLoopDepth())
      mark(tracked.load, loadHoisted);
  }
}

} // namespace warplint
