// One kernel's normalised IR to the model. Serves Clang's device IR and what
// ptx/read_ptx makes of PTX.
#pragma once
#include "ir/names.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace warplint {

/// Where an instruction stands for the user: the innermost frame in a file of
/// theirs, and the calls that lead there.
struct Frames {
  Place place;
  std::vector<Place> callSites; ///< outermost first
};
Frames framesOf(const llvm::DILocation *location, const Names &names);

/// Reads every kernel of `module`, which was normalised. Name, place and launch
/// bounds come from elsewhere.
std::vector<Kernel> readKernels(llvm::Module &module,
                                llvm::TargetMachine &target,
                                const Names &names);

} // namespace warplint
