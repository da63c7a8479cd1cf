// Floating-point operations on values that are known in all lanes.
#pragma once
#include "cost/lane_values.h"
#include <optional>

namespace warplint {

/// The values of a node that is `Op::Opaque`, if it is such an operation; none
/// if an operand has none. A quotient by a probe value is as good as any, so it
/// has none either.
std::optional<LaneValues> floatValues(const ExpressionGraph &graph, ValueId id,
                                      OperandValues get);

} // namespace warplint
