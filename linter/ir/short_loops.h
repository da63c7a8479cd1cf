// Kernels' IR to the same IR with short loops unrolled that go through arrays
// of a thread's own: the extents and strides of a structure such as an mdspan,
// the indexes of a reduction over a Kokkos MDRangePolicy. As long as an element
// is chosen by a counter the structure is no set of values, and the pointers
// beside its extents are lost.
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace warplint {

/// Expects a normalised module and leaves one. What the source accesses in
/// memory that others see is still there once: a loop with such an access stays
/// one, and so does each that a programmer forbids to unroll. Only in Kokkos'
/// own code are loops unrolled for arrays that stay arrays.
void unrollShortLoops(llvm::Module &module, llvm::TargetMachine &target);

} // namespace warplint
