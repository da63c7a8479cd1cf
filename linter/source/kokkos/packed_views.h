// Sets the usual values of packed Views' strides in kernels' IR.
//
// A Kokkos::View in LayoutRight whose extents but the first are known at
// compile time, such as `View<double *[3]>`, keeps its stride in a member all
// the same: only an allocation with AllowPadding, or a View cut out of a wider
// one, has another one than the product of those extents
// (impl/Kokkos_ViewMapping.hpp, the same from 3.4 to 4.6). Where a View is made
// of mdspan, it stores the pitch of the contiguous index instead
// (layout_right_padded, from 4.7 on). A kernel cannot tell which kind it gets,
// so the stride is usual, not certain. In LayoutLeft the stride is the first
// extent and just as uncertain.
#pragma once
#include "clang/AST/Decl.h"
#include "llvm/IR/Function.h"

namespace warplint {

/// Expects a normalised kernel and its declaration. Does nothing if the source
/// mentions AllowPadding.
void fixPackedStrides(llvm::Function &kernel, const clang::FunctionDecl &decl);

} // namespace warplint
