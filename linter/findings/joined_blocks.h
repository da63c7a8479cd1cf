// What a remedy that gives one block the work of several has to add.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// Ends the remedy that lanes take what neighbouring blocks take, `step` bytes
/// apart: what keeps SMs from being left without a block, or which grid it
/// needs. Empty where no SM is, or where the threads of a block do not work
/// together: they can go to other blocks.
std::string whereJoined(const CostedKernel &costed, const ShapeCosts &shape,
                        int64_t step);

} // namespace warplint
