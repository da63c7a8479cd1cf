// The two sides of a comparison of integers or floats.
#pragma once
#include "model/expression.h"
#include <optional>

namespace warplint {

/// The sides of a comparison that says which is less, or if they are equal.
struct Sides {
  ValueId left, right;
  bool isLess = false;    ///< holds if the left side is less
  bool isGreater = false; ///< holds if it is greater
};

/// None for what compares nothing, and for questions such as "is it a number".
std::optional<Sides> sidesOf(const ExpressionGraph &graph, ValueId value);

/// The value behind conversions, which keep the order.
ValueId withoutConversions(const ExpressionGraph &graph, ValueId value);

} // namespace warplint
