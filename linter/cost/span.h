// How much memory a load spans in the whole launch: `bias[i % channels]` has a
// few kilobytes, however many threads load it.
#pragma once
#include "cost/frequency.h"

namespace warplint {

/// The bytes from the first one to the last that the warps of a launch touch,
/// by some of them: the outermost ones, first and last iterations, and others
/// in between. Nothing if the grid, or the iterations of a loop that moves the
/// address, are unknown, or if each block has its own elements: its index
/// counts and no division, mask or shift lets threads come back to the same
/// ones.
std::optional<double> spanOf(const Kernel &kernel, const KernelShape &shape,
                             const Access &access, Frequencies &frequencies);

} // namespace warplint
