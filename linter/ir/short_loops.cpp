#include "ir/short_loops.h"
#include "input/kokkos_search.h"
#include "ir/guard_chains.h"
#include "ir/ir_objects.h"
#include "ir/normalise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace warplint {

namespace {

/// Policies, Views and practical mdspans have at most eight dimensions.
constexpr unsigned mostIterations = 8;

const llvm::AllocaInst *ownObject(const llvm::Value *pointer) {
  return llvm::dyn_cast<llvm::AllocaInst>(objectBehind(pointer));
}

/// Returns true if a counter or a loop moves the pointer.
bool moves(const llvm::Instruction &pointer) {
  if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer))
    return !step->hasAllConstantIndices();
  return llvm::isa<llvm::PHINode>(pointer) && pointer.getType()->isPointerTy();
}

using Objects = llvm::SmallPtrSet<const llvm::AllocaInst *, 4>;

/// Collects the thread's own objects that a loop's counter indexes.
Objects subscripted(const llvm::Loop &loop) {
  Objects objects;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (moves(instruction))
        if (const llvm::AllocaInst *own = ownObject(&instruction))
          objects.insert(own);
  return objects;
}

bool isKokkosOwn(const llvm::Loop &loop) {
  const llvm::DebugLoc start = loop.getStartLoc();
  return start && isKokkosHeader(start->getFilename());
}

bool isOwnAccess(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->isVolatile() && ownObject(load->getPointerOperand());
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return !store->isVolatile() && ownObject(store->getPointerOperand());
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

/// Returns true if unrolling repeats only accesses to the thread's own objects.
bool keepsToItself(const llvm::Loop &loop) {
  return llvm::all_of(loop.blocks(), [](const llvm::BasicBlock *block) {
    return llvm::all_of(*block, [](const llvm::Instruction &instruction) {
      return !instruction.mayReadOrWriteMemory() || isOwnAccess(instruction);
    });
  });
}

class ShortLoops {
public:
  ShortLoops(llvm::Function &kernel, llvm::FunctionAnalysisManager &manager)
      : kernel_(kernel), manager_(manager),
        loops_(manager.getResult<llvm::LoopAnalysis>(kernel)),
        evolution_(manager.getResult<llvm::ScalarEvolutionAnalysis>(kernel)) {
    const auto outerFirst = loops_.getLoopsInPreorder();
    for (llvm::Loop *loop : llvm::reverse(outerFirst))
      if (isCandidate(*loop))
        candidates_.insert(loop);
    keepWorthwhile();
  }

  bool unrollInnermost() {
    std::vector<llvm::Loop *> wanted;
    for (llvm::Loop *loop : loops_.getLoopsInPreorder())
      if (loop->isInnermost() && isWanted(*loop))
        wanted.push_back(loop);
    return llvm::count_if(wanted,
                          [&](llvm::Loop *loop) { return unroll(*loop); }) > 0;
  }

private:
  unsigned iterations(llvm::Loop &loop) const {
    const unsigned iterations = evolution_.getSmallConstantTripCount(&loop);
    return iterations <= mostIterations ? iterations : 0;
  }

  bool isCandidate(llvm::Loop &loop) const {
    llvm::MDNode *id = loop.getLoopID();
    return iterations(loop) &&
           !(id && llvm::GetUnrollMetadata(id, "llvm.loop.unroll.disable")) &&
           llvm::all_of(loop.getSubLoops(),
                        [&](llvm::Loop *inner) {
                          return candidates_.contains(inner);
                        }) &&
           keepsToItself(loop);
  }

  /// Drops loops over an array that stays an array; that may make other arrays
  /// stay as well, so repeats until nothing changes.
  void keepWorthwhile() {
    size_t before;
    do {
      before = candidates_.size();
      dissolves_.clear();
      candidates_.remove_if([&](const llvm::Loop *loop) {
        return !llvm::all_of(subscripted(*loop),
                             [&](const auto *own) { return dissolves(own); });
      });
    } while (candidates_.size() != before);
  }

  bool isWanted(llvm::Loop &loop) const {
    return !subscripted(loop).empty() &&
           (candidates_.contains(&loop) ||
            (iterations(loop) && isKokkosOwn(loop)));
  }

  /// Returns true if SROA can promote an object once the candidates are
  /// unrolled.
  bool dissolves(const llvm::AllocaInst *own) {
    auto [known, fresh] = dissolves_.try_emplace(own, true);
    if (!fresh)
      return known->second;
    llvm::SmallVector<const llvm::Value *, 8> work{own};
    llvm::SmallPtrSet<const llvm::Value *, 8> seen;
    while (!work.empty()) {
      const llvm::Value *pointer = work.pop_back_val();
      for (const llvm::User *user : pointer->users()) {
        auto *instruction = llvm::cast<llvm::Instruction>(user);
        if (!isOpen(*instruction, pointer))
          return dissolves_[own] = false;
        if (instruction->getType()->isPointerTy() &&
            !llvm::isa<llvm::LoadInst>(user) && seen.insert(user).second)
          work.push_back(user);
      }
    }
    return true;
  }

  /// Returns true if this use of a pointer into an object allows SROA to
  /// promote the object.
  bool isOpen(const llvm::Instruction &user, const llvm::Value *pointer) const {
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&user))
      return !store->isVolatile() && store->getValueOperand() != pointer;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&user))
      return !load->isVolatile();
    if (auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&user))
      return llvm::isa<llvm::ConstantInt>(memory->getLength());
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user))
      return intrinsic->isLifetimeStartOrEnd();
    if (llvm::isa<llvm::AddrSpaceCastInst>(user))
      return true;
    if (llvm::isa<llvm::ICmpInst>(user) || moves(user))
      return candidates_.contains(loops_.getLoopFor(user.getParent()));
    return llvm::isa<llvm::GetElementPtrInst>(user);
  }

  bool unroll(llvm::Loop &loop) {
    auto &dominators = manager_.getResult<llvm::DominatorTreeAnalysis>(kernel_);
    llvm::UnrollLoopOptions options{};
    options.Count = iterations(loop);
    options.Force = true;
    options.ForgetAllSCEV = true;
    llvm::formLCSSA(loop, dominators, &loops_, &evolution_);
    llvm::OptimizationRemarkEmitter remarks(&kernel_);
    return llvm::UnrollLoop(
               &loop, options, &loops_, &evolution_, &dominators,
               &manager_.getResult<llvm::AssumptionAnalysis>(kernel_),
               &manager_.getResult<llvm::TargetIRAnalysis>(kernel_), &remarks,
               /*PreserveLCSSA=*/false) ==
           llvm::LoopUnrollResult::FullyUnrolled;
  }

  llvm::Function &kernel_;
  llvm::FunctionAnalysisManager &manager_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  llvm::SmallPtrSet<const llvm::Loop *, 16> candidates_;
  llvm::DenseMap<const llvm::AllocaInst *, bool> dissolves_;
};

bool hasOwnObjects(const llvm::Function &kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const auto &instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction);
  });
}

} // namespace

void unrollShortLoops(llvm::Function &kernel,
                      llvm::FunctionAnalysisManager &analyses) {
  while (hasOwnObjects(kernel)) {
    endGuardChains(kernel, analyses);
    if (!ShortLoops(kernel, analyses).unrollInnermost())
      return;
    // An enclosing loop may be short enough now.
    analyses.clear(kernel, kernel.getName());
    simplify(kernel, analyses);
  }
}

} // namespace warplint
