// Reads normalised IR into the model: two readers, one model. source/ gives it
// Clang's device IR, ptx/ the IR that it makes of PTX; nothing here depends on
// Clang.
#pragma once
#include "ir/frames.h"
#include "ir/names.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace warplint {

/// Reads a normalised kernel. The caller adds name, place and launch bounds.
Kernel readKernel(llvm::Function &function,
                  llvm::FunctionAnalysisManager &analyses, const Names &names);

/// Reads every kernel of the normalised `module`.
std::vector<Kernel> readKernels(llvm::Module &module,
                                llvm::TargetMachine &target,
                                const Names &names);

} // namespace warplint
