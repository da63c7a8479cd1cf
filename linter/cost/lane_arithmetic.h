// Operations on whole numbers and conditions in the 32 lanes of a warp: from
// the values of the operands to those of the result.
#pragma once
#include "cost/lane_values.h"

namespace warplint {

/// An operation with one operand, of `bits`. `id`: the node that asks.
LaneValues unaryOf(Op op, const LaneValues &operand, unsigned bits, ValueId id);

/// An operation with two operands, of `bits`. A lane that divides by zero has
/// no value.
LaneValues binaryOf(Op op, const LaneValues &a, const LaneValues &b,
                    unsigned bits, ValueId id);

/// Applies Kleene's logic to two conditions: false and unknown is false, true
/// or unknown is true.
LaneValues logicOf(Op op, const LaneValues &a, const LaneValues &b);

/// Handles `threadIdx.x == chosen` with an unknown `chosen`. Lanes with
/// different values cannot all be equal to it; assumes that lane 0 is.
LaneValues equalToOneLane(Op op, const LaneValues &lanes);

} // namespace warplint
