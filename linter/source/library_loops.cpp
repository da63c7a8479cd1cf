#include "source/library_loops.h"
#include "source/analyses.h"
#include "source/normalise.h"
#include "source/read_kokkos.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace warplint {

namespace {

/// The ranks of policies and of Views end at eight.
constexpr unsigned mostTurns = 8;

bool isKokkosOwn(const llvm::Loop &loop) {
  const llvm::DebugLoc start = loop.getStartLoc();
  return start && isKokkosHeader(start->getFilename());
}

/// Whether an element that the loop's counter chooses of a thread's own array
/// is used in it.
bool subscriptsOwnArray(const llvm::Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](const llvm::Instruction &instruction) {
      auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      return step && !step->hasAllConstantIndices() &&
             llvm::isa<llvm::AllocaInst>(
                 step->getPointerOperand()->stripInBoundsOffsets());
    });
  });
}

bool unrollOne(llvm::Function &kernel, llvm::FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<llvm::LoopAnalysis>(kernel);
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  auto &dominators = manager.getResult<llvm::DominatorTreeAnalysis>(kernel);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    const unsigned turns = evolution.getSmallConstantTripCount(loop);
    if (!loop->isInnermost() || !turns || turns > mostTurns ||
        !isKokkosOwn(*loop) || !subscriptsOwnArray(*loop))
      continue;
    llvm::formLCSSA(*loop, dominators, &loops, &evolution);
    llvm::UnrollLoopOptions options{};
    options.Count = turns;
    options.Force = true;
    options.ForgetAllSCEV = true;
    llvm::OptimizationRemarkEmitter remarks(&kernel);
    auto result = llvm::UnrollLoop(
        loop, options, &loops, &evolution, &dominators,
        &manager.getResult<llvm::AssumptionAnalysis>(kernel),
        &manager.getResult<llvm::TargetIRAnalysis>(kernel), &remarks,
        /*PreserveLCSSA=*/false);
    if (result == llvm::LoopUnrollResult::FullyUnrolled)
      return true;
  }
  return false;
}

} // namespace

void unrollLibraryLoops(llvm::Module &module, llvm::TargetMachine &target) {
  bool any = false;
  {
    Analyses analyses(target);
    for (llvm::Function &kernel : module)
      if (isKernel(kernel) && !kernel.isDeclaration())
        while (unrollOne(kernel, analyses.functions)) {
          analyses.functions.invalidate(kernel,
                                        llvm::PreservedAnalyses::none());
          any = true;
        }
  }
  if (any)
    simplify(module, target);
}

} // namespace warplint
