// One kernel's normalised IR to the model. Serves Clang's device IR and what
// compiled/read_ptx makes of PTX.
#pragma once
#include "source/names.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace warplint {

/// Reads every kernel of `module`, which was normalised. Name, place and launch
/// bounds come from elsewhere.
std::vector<Kernel> readKernels(llvm::Module &module,
                                llvm::TargetMachine &target,
                                const Names &names);

} // namespace warplint
