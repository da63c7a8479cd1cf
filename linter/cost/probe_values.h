// Numbers that stand for unknown values, and which operations on those that
// stand for sizes give a size.
#pragma once
#include "cost/lane_values.h"
#include "cost/size_limits.h"

namespace warplint {

// A trial selects the probe values: 0 large and aligned, 1 large multiples of
// 32, and these. Those of options begin with `firstChoice` (cost/choices.h).
constexpr unsigned oddSizes = 2;   ///< the trial with odd probe values
constexpr unsigned smallSizes = 3; ///< the trial with small probe values
constexpr unsigned unitSizes = 4;  ///< the trial in which all of them are 1

/// Returns a probe value for a uniform unknown. Most arguments are sizes and
/// counts, so the first trial takes a large one; the other trials show which
/// results depend on its alignment and size. It has `most` bits at most.
uint64_t probeValue(uint64_t hash, unsigned bits, unsigned trial,
                    unsigned most = usualSizeBits);

/// Returns true for two operations on sizes that give a size, which gets a
/// probe value of its own: the quotient of two probe sizes, as in
/// `channels / heads`, would be close to 0, and their difference, as in
/// `end[i] - begin[i]`, is negative as often as not. `id`: the operation, `a`
/// and `b`: its operands.
bool isSizeOfSizes(const ExpressionGraph &graph, ValueId id,
                   const LaneValues &a, const LaneValues &b);

/// Returns true for a block that is divided into groups of a probe size:
/// `blockDim.x / width` is one group then, not none.
bool isBlockInGroups(Op op, const LaneValues &a, const LaneValues &b,
                     unsigned bits);

} // namespace warplint
