// Which of a kernel's launches decides: the one whose accesses cost most.
#pragma once
#include "model/model.h"

namespace warplint {

/// The launches, the one first in which the accesses cost most: it decides.
std::vector<Launched> costliestFirst(const Kernel &kernel, Shape shape,
                                     std::vector<Launched> launches);

} // namespace warplint
