// Random numbers that a thread computes, and hashes of its index.
#pragma once
#include "model/expression.h"

namespace warplint {

/// Returns true if an address depends on a number in which each bit of the
/// thread's index changes all others: a hash, or what a generator seeded by the
/// index gives (Philox, xorshift, a linear congruence). Lanes are anywhere
/// then, as behind loaded data, whatever their order is.
bool hasMixedBits(const ExpressionGraph &graph, ValueId address);

} // namespace warplint
