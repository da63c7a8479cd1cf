// Unrolls short loops over a thread's own arrays: the extents and strides of a
// structure such as an mdspan, the indexes of a reduction over a Kokkos
// MDRangePolicy. While a counter selects the element, SROA cannot split the
// structure, and the pointers next to its extents are lost.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace warplint {

/// Expects and leaves a normalised kernel. Accesses to memory outside the
/// thread keep their number: a loop with such an access is not unrolled, nor
/// one whose unrolling the source forbids. Loops over arrays that stay arrays
/// are unrolled only in Kokkos' own code.
void unrollShortLoops(llvm::Function &kernel,
                      llvm::FunctionAnalysisManager &analyses);

} // namespace warplint
