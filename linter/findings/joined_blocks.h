// Whether a remedy may give one block what several blocks do now.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// How many blocks one block takes the place of where lanes take what
/// neighbouring blocks take, `step` bytes apart: as many as fill a sector. One
/// where the threads of a block do not work together, and can go to others.
uint64_t blocksInOne(const Kernel &kernel, int64_t step);

/// Says why `together` blocks cannot become one: SMs that have a block now
/// would have none. Empty if they can, or the grid is not known.
std::string whyNotJoined(const CostedKernel &costed, const ShapeCosts &shape,
                         uint64_t together);

/// Where the grid is not known, ends the remedy with what it has to be; else
/// empty.
std::string whereJoined(const ShapeCosts &shape, uint64_t together);

} // namespace warplint
