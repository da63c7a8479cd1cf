// Accesses to arrays that have a layout to what the other layout would save.
#pragma once
#include "cost/costed.h"
#include "cost/two_lanes.h"

namespace warplint {

/// The index in which two neighbouring lanes differ, if the contiguous index is
/// known to be the same for both.
const Index *slowIndex(TwoLanes &lanes, const ArrayLayout &layout,
                       const ShapeCosts &shape, unsigned access);

/// Returns true for the first and the last index: one of the two is contiguous.
bool isExtreme(const ArrayLayout &layout, const Index &index);

/// The sectors of a warp that the other layout would save an access; below 0 if
/// it would take more: one that runs over the contiguous index would have a
/// sector for each lane.
double savedByOtherLayout(const CostedKernel &costed, const ShapeCosts &shape,
                          TwoLanes &lanes, unsigned access);

/// Sets `betterInOtherLayout` of each kernel of a source: the other layout
/// saves one of them sectors, and costs none more, in any of its shapes.
void settleLayouts(std::vector<CostedKernel> &kernels);

} // namespace warplint
