// An index that a division splits in two: `a[i % n * m + i / n]`.
#pragma once
#include "model/expression.h"

namespace warplint {

/// Returns true if a quotient or remainder of an index moves an address by less
/// than a sector each: it steps through neighbouring elements.
bool hasSplitIndex(const ExpressionGraph &graph, ValueId address);

} // namespace warplint
