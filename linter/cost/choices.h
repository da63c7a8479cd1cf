// The constants that a kernel compares an unknown value with: an option that
// chooses among ways has these values and others, and no other probe value
// leads to each way.
#pragma once
#include "model/expression.h"
#include <map>

namespace warplint {

/// The trials from this one on give each unknown value that the kernel compares
/// with constants the first of them, the second, and so on; what has none of
/// that number is as in the first trial.
constexpr unsigned firstChoice = 16;

/// The distinct constants that a node is compared with for equality, a few at
/// most, by node: arguments, loaded values and other unknowns.
using Choices = std::map<ValueId, std::vector<uint64_t>>;
Choices choicesOf(const ExpressionGraph &graph);

/// The most constants of a node.
unsigned mostChoices(const Choices &choices);

} // namespace warplint
