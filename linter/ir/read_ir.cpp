#include "ir/read_ir.h"
#include "ir/access_names.h"
#include "ir/analyses.h"
#include "ir/fragments.h"
#include "ir/guard_chains.h"
#include "ir/index_marks.h"
#include "ir/normalise.h"
#include "ir/read_barriers.h"
#include "ir/read_branches.h"
#include "ir/read_calls.h"
#include "ir/read_operations.h"
#include "ir/stored_loads.h"
#include "ir/vector_guards.h"
#include "llvm/ADT/PostOrderIterator.h"

namespace warplint {

namespace {

class KernelReader {
public:
  KernelReader(llvm::Function &function, llvm::FunctionAnalysisManager &manager,
               const Names &names)
      : function_(function), names_(names),
        layout_(function.getParent()->getDataLayout()),
        loops_(manager.getResult<llvm::LoopAnalysis>(function)),
        scalarEvolution_(
            manager.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        analyses_{loops_,
                  manager.getResult<llvm::DominatorTreeAnalysis>(function),
                  manager.getResult<llvm::PostDominatorTreeAnalysis>(function)},
        graph_(function, analyses_, kernel_,
               [this](const llvm::Instruction &instruction) {
                 return nameOfLoad(instruction, names_);
               }),
        arrays_(function, names, graph_, kernel_),
        accesses_(function, names, analyses_, scalarEvolution_, graph_, arrays_,
                  synchronisation_, kernel_),
        calls_(names, accesses_, arrays_, synchronisation_, kernel_) {}

  Kernel read() {
    kernel_.mangled = function_.getName().str();
    llvm::ReversePostOrderTraversal<llvm::Function *> blocks(&function_);
    for (llvm::BasicBlock *block : blocks) {
      accesses_.enter(block);
      for (llvm::Instruction &instruction : *block)
        readInstruction(instruction);
    }
    kernel_.loops = readLoops(graph_, kernel_.graph, scalarEvolution_, names_,
                              synchronisation_);
    readBranches();
    readBarriers();
    readStoredLoads(accesses_.positions(), loops_, kernel_);
    readFragments(accesses_.positions(), kernel_);
    readOperations(function_, loops_, scalarEvolution_, graph_, names_,
                   accesses_.positions(), kernel_);
    markVectorGuards(kernel_);
    graph_.addPointers();
    return std::move(kernel_);
  }

private:
  Frames frames(const llvm::DILocation *location) const {
    return framesOf(location, names_);
  }

  void readInstruction(llvm::Instruction &instruction) {
    if (instruction.getMetadata("ptx.param"))
      return; // a parameter that PTX passes through memory
    if (instruction.getMetadata(indexLoad))
      return; // warplint's own mark
    auto bytes = [&](const llvm::Type *type) {
      return unsigned(layout_.getTypeStoreSize(const_cast<llvm::Type *>(type)));
    };
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return accesses_.add(*load, load->getPointerOperand(), Operation::Load,
                           bytes(load->getType()), load->isVolatile());
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (!isLaunchArgument(*store))
        accesses_.add(*store, store->getPointerOperand(), Operation::Store,
                      bytes(store->getValueOperand()->getType()),
                      store->isVolatile());
      return;
    }
    if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return accesses_.add(*atomic, atomic->getPointerOperand(),
                           Operation::Atomic, bytes(atomic->getType()),
                           atomic->isVolatile());
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return accesses_.add(*exchange, exchange->getPointerOperand(),
                           Operation::Atomic,
                           bytes(exchange->getNewValOperand()->getType()),
                           exchange->isVolatile());
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      calls_.read(*call);
  }

  void readBranches() {
    kernel_.branches = warplint::readBranches(
        function_, analyses_, graph_, kernel_.loops,
        [&](const llvm::Instruction &instruction, Branch &branch) {
          const llvm::DILocation *location = instruction.getDebugLoc();
          Frames frames = this->frames(location);
          branch.place = frames.place;
          branch.callSites = frames.callSites;
          branch.inLibrary =
              !location || !names_.file(location->getFile()).isUser;
        });
  }

  void readBarriers() {
    kernel_.barriers = warplint::readBarriers(
        function_, graph_,
        [&](const llvm::Instruction &instruction, Barrier &barrier) {
          Frames frames = this->frames(instruction.getDebugLoc());
          barrier.place = frames.place;
          barrier.callSites = frames.callSites;
          barrier.inLibrary = !names_.isUser(frames.place.file);
        });
  }

  llvm::Function &function_;
  const Names &names_;
  const llvm::DataLayout &layout_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &scalarEvolution_;
  FunctionAnalyses analyses_;
  Kernel kernel_;
  IrGraph graph_;
  Synchronisation synchronisation_;
  OwnArrays arrays_;
  AccessReader accesses_;
  CallReader calls_;
};

} // namespace

Kernel readKernel(llvm::Function &function,
                  llvm::FunctionAnalysisManager &analyses, const Names &names) {
  endGuardChains(function, analyses);
  return KernelReader(function, analyses, names).read();
}

std::vector<Kernel> readKernels(llvm::Module &module,
                                llvm::TargetMachine &target,
                                const Names &names) {
  Analyses analyses(target);

  std::vector<Kernel> kernels;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && isKernel(function))
      kernels.push_back(readKernel(function, analyses.functions, names));
  return kernels;
}

} // namespace warplint
