// Which of a kernel's launches decides: the one whose accesses cost most.
#pragma once
#include "model/model.h"

namespace warplint {

/// Sorts the launches of each block shape, the one first in which the accesses
/// cost most: it decides. The shapes, too, if the grid of any launch is known.
void costliestFirst(const Kernel &kernel, std::vector<KernelShape> &shapes);

} // namespace warplint
