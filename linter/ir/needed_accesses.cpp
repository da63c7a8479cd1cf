#include "ir/needed_accesses.h"
#include "ir/index_marks.h"
#include "ir/memory_walks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PriorityWorklist.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace warplint {

namespace {

/// A load and its copy in the clone; null once it is deleted there. `value`
/// stands for it then.
struct Tracked {
  llvm::LoadInst *load;
  llvm::WeakVH clone;
  llvm::WeakTrackingVH value;
};

/// A store to memory that others see, and its copy.
struct TrackedStore {
  llvm::StoreInst *store;
  llvm::WeakVH clone;
  const char *kind = nullptr; ///< of the mark, once the copy is deleted
  bool mayLeaveLoop = false;
};

std::vector<Tracked> trackedLoads(llvm::Function &kernel,
                                  llvm::ValueToValueMapTy &clones) {
  std::vector<Tracked> loads;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      llvm::Value *clone = clones.lookup(load);
      loads.push_back({load, clone, clone});
    }
  return loads;
}

std::vector<TrackedStore> trackedStores(llvm::Function &kernel,
                                        llvm::ValueToValueMapTy &clones) {
  std::vector<TrackedStore> stores;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && !llvm::isa<llvm::AllocaInst>(
                     llvm::getUnderlyingObject(store->getPointerOperand())))
      stores.push_back({store, llvm::WeakVH(clones.lookup(store))});
  return stores;
}

/// Clones the code alone: places and names of variables have no effect on
/// loads, and to clone them takes longer than all else.
llvm::Function *cloneOf(llvm::Function &kernel,
                        llvm::ValueToValueMapTy &clones) {
  auto *clone = llvm::Function::Create(kernel.getFunctionType(),
                                       llvm::GlobalValue::InternalLinkage, "",
                                       kernel.getParent());
  clone->setCallingConv(kernel.getCallingConv());
  clone->setAttributes(kernel.getAttributes());
  for (auto [from, to] : llvm::zip(kernel.args(), clone->args()))
    clones[&from] = &to;
  std::vector<llvm::BasicBlock *> blocks;
  for (llvm::BasicBlock &block : kernel) {
    blocks.push_back(llvm::CloneBasicBlock(&block, clones, "", clone));
    clones[&block] = blocks.back();
  }
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &instruction : *block) {
      instruction.dropDbgRecords();
      instruction.setDebugLoc(llvm::DebugLoc());
      llvm::RemapInstruction(&instruction, clones,
                             llvm::RF_NoModuleLevelChanges |
                                 llvm::RF_IgnoreMissingLocals);
    }
  return clone;
}

/// A host passes no pointer to shared memory: cicc takes those among a kernel's
/// arguments, and in the structures there, to be global (seen in the PTX of
/// CUDA 13.0), so no store to shared memory changes what they point to.
void placeInGlobalMemory(llvm::Function &kernel) {
  constexpr unsigned global = 1;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace())
      continue;
    const llvm::Value *object = llvm::getUnderlyingObject(pointer);
    auto *member = llvm::dyn_cast<llvm::LoadInst>(object);
    if (member)
      object = llvm::getUnderlyingObject(member->getPointerOperand());
    auto *argument = llvm::dyn_cast<llvm::Argument>(object);
    if (!argument || argument->hasByValAttr() != bool(member))
      continue;
    auto *placed = new llvm::AddrSpaceCastInst(
        const_cast<llvm::Value *>(pointer),
        llvm::PointerType::get(kernel.getContext(), global), "",
        instruction.getIterator());
    instruction.setOperand(llvm::isa<llvm::LoadInst>(instruction) ? 0 : 1,
                           placed);
  }
}

/// cicc ignores type-based alias hints: a store of a float may change an int
/// (seen in the PTX of CUDA 13.0).
void forgetTypes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
    instruction.setMetadata(llvm::LLVMContext::MD_tbaa_struct, nullptr);
  }
}

/// Accesses made volatile only to keep copies whole are ordinary here.
void forgetCopies(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (!instruction.hasMetadata("warplint.copy"))
      continue;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      load->setVolatile(false);
    else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      store->setVolatile(false);
  }
}

/// An atomic orders no other access, and changes only what it may point to:
/// cicc moves loads across it (seen in the PTX of CUDA 13.0). Clang makes them
/// sequentially consistent; what is ordered less came with a clobber of memory.
void relaxAtomics(llvm::Function &function) {
  constexpr auto relaxed = llvm::AtomicOrdering::Monotonic;
  constexpr auto usual = llvm::AtomicOrdering::SequentiallyConsistent;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (update->getOrdering() == usual)
        update->setOrdering(relaxed);
    } else if (auto *swap =
                   llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
               swap && swap->getSuccessOrdering() == usual) {
      swap->setSuccessOrdering(relaxed);
      swap->setFailureOrdering(relaxed);
    }
  }
}

/// After `*a = *b`, LLVM knows the value of `*b` even if a and b alias, since
/// it is the same either way. cicc loads it again (measured), so the clone
/// stores a different value.
void hideCopiedValues(llvm::Function &function) {
  std::vector<llvm::StoreInst *> copies;
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

/// Moves what is the same in all iterations of a loop out of it.
void hoist(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  const std::vector<llvm::Instruction *> ends = endMemoryWalks(
      function, analyses.getResult<llvm::LoopAnalysis>(function));
  llvm::FunctionPassManager passes;
  passes.addPass(
      llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                            /*UseMemorySSA=*/true));
  passes.run(function, analyses);
  if (ends.empty())
    return;
  for (llvm::Instruction *end : ends)
    end->eraseFromParent();
  llvm::PreservedAnalyses others = llvm::PreservedAnalyses::all();
  others.abandon<llvm::MemorySSAAnalysis>();
  analyses.invalidate(function, others);
}

/// Gives this kind to the stores whose copies are deleted since the last call.
void noteDeleted(std::vector<TrackedStore> &stores, const char *kind) {
  for (TrackedStore &tracked : stores)
    if (!tracked.clone && !tracked.kind)
      tracked.kind = kind;
}

/// An address without the constant that is added to it last: 'p[i]' of
/// 'p[i + 1]', of 'p[i].x' and of 'p[i].y'. Another constant is at another
/// place, also for cicc.
struct AddressBase {
  const llvm::Value *pointer, *index;
  uint64_t scale;
  bool operator==(const AddressBase &) const = default;
};

AddressBase addressBase(const llvm::Value *address,
                        const llvm::DataLayout &layout) {
  address = address->stripPointerCasts();
  auto *element = llvm::dyn_cast<llvm::GEPOperator>(address);
  if (!element)
    return {address, nullptr, 0};
  const unsigned bits = layout.getIndexTypeSizeInBits(address->getType());
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> indexes;
  llvm::APInt constant(bits, 0);
  if (!element->collectOffset(layout, bits, indexes, constant) ||
      indexes.size() > 1)
    return {address, nullptr, 0};
  const AddressBase outer = addressBase(element->getPointerOperand(), layout);
  if (indexes.empty())
    return outer;
  if (outer.index)
    return {address, nullptr, 0};
  const auto &[index, scale] = indexes.front();
  const llvm::Value *value = index;
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(value);
      cast && cast->isIntegerCast())
    value = cast->getOperand(0);
  using namespace llvm::PatternMatch;
  if (const llvm::Value *sum;
      match(value, m_AddLike(m_Value(sum), m_ConstantInt())))
    value = sum;
  return {outer.pointer, value, scale.getZExtValue()};
}

/// Finds the stores to objects of which their loop accesses one address alone,
/// or several with one base. Of others cicc knows less than this LLVM: it keeps
/// the stores to 'o[16 + i + 32 * m]' and 'o[i + 32 * m]' in the loop, and not
/// those to 'o[i + 32 * m + 16]' and 'o[i + 32 * m]' (seen in the PTX of CUDA
/// 13.0).
void findLonely(llvm::Function &function, std::vector<TrackedStore> &stores,
                const llvm::LoopInfo &loops) {
  const llvm::DataLayout &layout = function.getDataLayout();
  /// The base, or none for several.
  llvm::DenseMap<std::pair<const llvm::Loop *, const llvm::Value *>,
                 std::optional<AddressBase>>
      bases;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto place = llvm::MemoryLocation::getOrNone(&instruction)) {
      const AddressBase base = addressBase(place->Ptr, layout);
      const llvm::Value *object = llvm::getUnderlyingObject(place->Ptr);
      for (const llvm::Loop *loop = loops.getLoopFor(instruction.getParent());
           loop; loop = loop->getParentLoop()) {
        const auto [known, isNew] = bases.try_emplace({loop, object}, base);
        if (known->second != base)
          known->second.reset();
      }
    }
  for (TrackedStore &tracked : stores)
    if (auto *copy = llvm::cast_or_null<llvm::StoreInst>(
            static_cast<llvm::Value *>(tracked.clone)))
      tracked.mayLeaveLoop =
          bases
              .lookup({loops.getLoopFor(copy->getParent()),
                       llvm::getUnderlyingObject(copy->getPointerOperand())})
              .has_value();
}

/// Returns true if two stores are to one address: else none overwrites another.
bool storeToOneAddress(llvm::ArrayRef<TrackedStore> stores) {
  llvm::SmallPtrSet<const llvm::Value *, 16> addresses;
  return llvm::any_of(stores, [&](const TrackedStore &tracked) {
    const llvm::Value *clone = tracked.clone;
    return clone &&
           !addresses.insert(llvm::getLoadStorePointerOperand(clone)).second;
  });
}

void removeRedundant(llvm::Function &function,
                     llvm::FunctionAnalysisManager &analyses,
                     std::vector<TrackedStore> &stores) {
  auto run = [&](auto... passes) {
    llvm::FunctionPassManager all;
    (all.addPass(std::move(passes)), ...);
    all.run(function, analyses);
  };
  run(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  noteDeleted(stores, accessRemoved);
  findLonely(function, stores,
             analyses.getResult<llvm::LoopAnalysis>(function));
  run(llvm::LoopSimplifyPass(), llvm::LCSSAPass(), RotateLoops());
  hoist(function, analyses);
  // A store behind the loop has the last value.
  noteDeleted(stores, accessHoisted);
  run(llvm::GVNPass());
  noteDeleted(stores, accessRemoved);
  if (!storeToOneAddress(stores))
    return;
  run(llvm::DSEPass());
  noteDeleted(stores, accessRemoved);
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

} // namespace

void describeLibdevice(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->isDeclaration() ||
        !callee->getName().starts_with("__nv_"))
      continue;
    const bool hasResultMemory =
        llvm::any_of(callee->args(), [](const llvm::Argument &argument) {
          return argument.getType()->isPointerTy();
        });
    call->setMemoryEffects(hasResultMemory ? llvm::MemoryEffects::argMemOnly()
                                           : llvm::MemoryEffects::none());
    call->addFnAttr(llvm::Attribute::WillReturn);
    call->addFnAttr(llvm::Attribute::NoUnwind);
  }
}

void markNeededAccesses(llvm::Function &kernel,
                        llvm::FunctionAnalysisManager &analyses) {
  auto mark = [&](llvm::Instruction *access, const char *kind) {
    access->setMetadata(kind, llvm::MDNode::get(kernel.getContext(), {}));
  };
  llvm::ValueToValueMapTy clones;
  llvm::Function *clone = cloneOf(kernel, clones);
  const std::vector<Tracked> loads = trackedLoads(kernel, clones);
  std::vector<TrackedStore> stores = trackedStores(kernel, clones);
  clones.clear();
  forgetIndexMarks(*clone);
  placeInGlobalMemory(*clone);
  forgetTypes(*clone);
  forgetCopies(*clone);
  relaxAtomics(*clone);
  hideCopiedValues(*clone);
  if (clone->getInstructionCount() <= largest)
    removeRedundant(*clone, analyses, stores);

  auto &before = analyses.getResult<llvm::LoopAnalysis>(kernel);
  auto &after = analyses.getResult<llvm::LoopAnalysis>(*clone);
  // Of the loop that the access is in.
  auto isOutside = [&](const llvm::Value *copy, llvm::Instruction &access) {
    const llvm::BasicBlock *block =
        llvm::cast<llvm::Instruction>(copy)->getParent();
    return depth(after.getLoopFor(block)) <
           depth(before.getLoopFor(access.getParent()));
  };
  for (const Tracked &tracked : loads) {
    if (!tracked.clone || isSecondResult(*tracked.load))
      mark(tracked.load, accessRemoved);
    const llvm::Value *value = tracked.value;
    if (auto *left = llvm::dyn_cast_or_null<llvm::LoadInst>(value);
        left && isOutside(left, *tracked.load))
      mark(tracked.load, accessHoisted);
  }
  for (const TrackedStore &tracked : stores)
    if (tracked.kind == accessRemoved)
      mark(tracked.store, accessRemoved);
    else if (tracked.mayLeaveLoop &&
             (tracked.kind || isOutside(tracked.clone, *tracked.store)))
      mark(tracked.store, accessHoisted);
  analyses.clear(*clone, clone->getName());
  clone->eraseFromParent();
}

} // namespace warplint
