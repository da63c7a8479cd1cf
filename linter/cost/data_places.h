// Accesses whose place loaded data decide for all lanes, as that of a segment.
#pragma once
#include "cost/lanes.h"

namespace warplint {

/// Data begin at any element: gives such an access the mean of its sectors over
/// all places in a sector, in place of those where it begins with one
/// (H200: 4.86 sectors for each of 60 accesses of 32 floats to segments of
/// random lengths).
void averagePlaces(const Kernel &kernel, const Access &access, Cost &cost);

} // namespace warplint
