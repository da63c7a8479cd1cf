// What several accesses change in each other's costs, and what is taken to hold
// where the caller chooses all strides.
#pragma once
#include "cost/lanes.h"

namespace warplint {

/// `costs`: those of all accesses, each by itself.
std::vector<Cost> joined(const Kernel &kernel, Shape shape,
                         std::vector<Cost> costs);

} // namespace warplint
