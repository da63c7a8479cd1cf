// Tells arithmetic that computes its own rounding errors: sums of Kahan,
// products of Dekker.
#pragma once
#include "model/model.h"

namespace warplint {

/// Returns true for `+` and `-`.
bool isSum(const Computation &operation);

/// Returns true if the kernel computes what a rounding loses: sums and products
/// that are compensated need each rounding as it is written.
bool isCompensated(const Kernel &kernel);

} // namespace warplint
