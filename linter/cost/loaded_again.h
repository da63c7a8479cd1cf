// Which loads of a stencil DRAM need not serve: another load of the same array
// brings the row into L2, in another warp, block or iteration.
#pragma once
#include "cost/warp.h"

namespace warplint {

struct ShapeCosts;

/// By access. `here` is a warp of the shape that `costs` is of.
std::vector<bool> loadedByAnother(const Kernel &kernel, const ShapeCosts &costs,
                                  Evaluation &evaluation, Warp &here);

} // namespace warplint
