// Conditions on the alignment of an address or a size, with a way for vectors
// on one side and one for single elements on the other: what allocations and
// sizes have as a rule.
#pragma once
#include "model/model.h"

namespace warplint {

/// Makes each comparison usual by which a kernel moves the same memory as
/// vectors, or else element by element: `if (address % 16 == 0)`.
void markVectorGuards(Kernel &kernel);

} // namespace warplint
