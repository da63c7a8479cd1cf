// LLVM's analysis managers, registered for passes and readers of a module.
#pragma once
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace warplint {

struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;

  explicit Analyses(llvm::TargetMachine &target,
                    llvm::PassInstrumentationCallbacks *callbacks = nullptr) {
    llvm::PassBuilder builder(&target, llvm::PipelineTuningOptions(),
                              std::nullopt, callbacks);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);
  }
};

} // namespace warplint
