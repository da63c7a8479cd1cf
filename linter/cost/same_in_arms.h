// Accesses that both arms of an `if` on data make, such as the stores of
// `if (c[i]) a[i] = x; else a[i] = y;`.
#pragma once
#include "cost/costed.h"
#include "cost/frequency.h"

namespace warplint {

/// By access, the part of its requests that counts where other arms load, or
/// store, the same elements: the compiler moves them behind or before the
/// branch as one access, and a warp whose lanes agree executes one arm.
std::vector<double> partsOfArms(const Kernel &kernel, const ShapeCosts &costs,
                                Frequencies &frequencies);

} // namespace warplint
