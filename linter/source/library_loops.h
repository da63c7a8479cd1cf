// Kernels' IR to the same IR with the short loops of Kokkos' own code unrolled
// in which it fills a thread's array with indexes: those of a reduction over an
// MDRangePolicy.
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace warplint {

/// Expects a normalised module and leaves one.
void unrollLibraryLoops(llvm::Module &module, llvm::TargetMachine &target);

} // namespace warplint
