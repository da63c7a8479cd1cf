// Loads that wait for other loads: their address comes from loaded data.
#pragma once
#include "model/model.h"

namespace warplint {

/// For each access, the loads in the same innermost loop, and in the same
/// iteration, that its address is computed from, by index in
/// `kernel.accesses`. No chain of them is a circle.
std::vector<std::vector<unsigned>> loadsBefore(const Kernel &kernel);

} // namespace warplint
