// Device IR as it was generated to the same IR with a mark before each call of
// `a(i, j)` that says what the indexes are (ir/index_marks.h).
#pragma once
#include "source/emit.h"

namespace warplint {

/// Marks the calls of arrays of two and more dimensions whose class names its
/// layout: Kokkos::View as `array_layout`, mdspan as `layout_type`.
void markIndexes(Emitted &emitted);

} // namespace warplint
