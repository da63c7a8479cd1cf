// Kernels' IR to the same IR with what the strides of packed Views usually are.
//
// A Kokkos::View in LayoutRight whose extents but the first are known at
// compile time, such as `View<double *[3]>`, keeps its stride in a member all
// the same: only an allocation with AllowPadding, or a View cut out of a wider
// one, has another one than the product of those extents
// (impl/Kokkos_ViewMapping.hpp, the same from 3.4 to 4.6). Where a View is made
// of mdspan, the pitch of the index that runs fastest is kept instead
// (layout_right_padded, from 4.7 on). Nothing in a kernel tells which of them
// it was handed, so the stride is usual, not certain. In LayoutLeft the stride
// is the first extent, and known as little.
#pragma once
#include "source/emit.h"

namespace warplint {

/// Expects that `emitted.module` was normalised. Does nothing in a source that
/// speaks of AllowPadding.
void fixPackedStrides(const Emitted &emitted, clang::ASTContext &context);

} // namespace warplint
