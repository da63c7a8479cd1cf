// Floating-point operations on values that are known in all lanes.
#pragma once
#include "cost/lane_values.h"
#include <optional>

namespace warplint {

/// The values of a node that is `Op::Opaque`, if it is such an operation; none
/// if an operand has none. A quotient by a probe value is as good as any, so it
/// has none either, nor has the float that the bits of a probe value are.
std::optional<LaneValues> floatValues(const ExpressionGraph &graph, ValueId id,
                                      OperandValues get);

/// Returns a number for the addresses that what `id` is computed from is loaded
/// from, 0 if none of them is known.
uint64_t sourceOfFloats(const ExpressionGraph &graph, ValueId id,
                        OperandValues get);

} // namespace warplint
