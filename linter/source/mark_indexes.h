// Marks each call of `a(i, j)` in generated device IR with its indexes
// (ir/index_marks.h).
#pragma once
#include "source/emit.h"

namespace warplint {

/// Marks the calls of arrays of two or more dimensions whose class names its
/// layout: Kokkos::View as `array_layout`, mdspan as `layout_type`.
void markIndexes(Emitted &emitted);

} // namespace warplint
