// Loops that halve a range in each iteration, as a binary search does.
#pragma once
#include "model/model.h"
#include <optional>

namespace warplint {

/// The ends of the range that the first iteration halves, in any order.
struct HalvedRange {
  ValueId one, other;
};

/// Finds it where the loop goes on with the middle of two values that it
/// carries: '(low + high) / 2', 'low + (high - low) / 2', shifts alike.
std::optional<HalvedRange> halvedRange(const Kernel &kernel, LoopId loop);

} // namespace warplint
