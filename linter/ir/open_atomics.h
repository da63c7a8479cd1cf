// Atomics that reach the IR as calls: those with a scope ('atomicAdd_block'),
// which Clang emits as NVVM's intrinsics, and those of libcu++
// ('cuda::atomic_ref'), which are inline PTX.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace warplint {

/// Returns LLVM's operation for an update by its name in PTX, which NVVM's
/// intrinsics share: "add", "inc". None for other names.
std::optional<llvm::AtomicRMWInst::BinOp>
atomicOperation(llvm::StringRef name, bool isFloat, bool isSigned);

/// Replaces the calls by LLVM's own atomics, so that whoever reads a function
/// knows one form. A scope changes no address, and ptxas combines the updates
/// of a warp in every scope and out of inline PTX as well (seen in the SASS of
/// CUDA 13.0). An atomic that comes with a clobber of memory is ordered, as no
/// load moves across it; the others are relaxed.
///
/// PTX is replaced if it is one scalar atomic at '[$n]'; what it orders becomes
/// a fence in front of it. The intrinsics do not say whether a minimum or
/// maximum is signed; it is taken to be.
void openAtomics(llvm::Function &function);

} // namespace warplint
