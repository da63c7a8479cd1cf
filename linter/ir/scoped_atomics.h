// Atomics with a scope ('atomicAdd_block', 'atomicMax_system'), which Clang
// emits as calls of NVVM's intrinsics.
#pragma once
#include "llvm/IR/Function.h"

namespace warplint {

/// Replaces the calls by LLVM's own atomics, so that whoever reads a function
/// knows one form: a scope changes no address, and ptxas combines the updates
/// of a warp in every scope (seen in the SASS of CUDA 13.0). Calls that it does
/// not know stay. The intrinsics do not say whether a minimum or maximum is
/// signed; it is taken to be.
void openScopedAtomics(llvm::Function &function);

} // namespace warplint
