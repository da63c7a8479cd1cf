// Launches of a kernel template's instances to the largest blocks among them: a
// program whose template arguments choose the block has the small ones for what
// the large ones do not divide.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// Sets `largestOfTemplate` of each kernel of a source.
void settleTemplateBlocks(std::vector<CostedKernel> &kernels);

} // namespace warplint
