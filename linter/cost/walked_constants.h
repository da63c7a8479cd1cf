// Constants that a loop reads by its counter, the same for all lanes.
#pragma once
#include "cost/frequency.h"
#include "model/model.h"

namespace warplint {

/// The bytes of constant memory that loops which stay loops walk through with
/// an access whose index is uniform for the compiler: made of their counters,
/// arguments and the block. 0 for another access: what data or threads index is
/// loaded in another way, and the copies of an unrolled loop have the constants
/// as operands.
double constantsWalked(const Kernel &kernel, const Access &access,
                       Frequencies &frequencies);

/// Cycles of an SM for each instruction that loads a part of them, beside those
/// of a constant that is there (H200, CUDA 13.0, kernels/constant_walks): the
/// cache of such constants holds some 300 bytes, and with 24 warps and more
/// they throw out what others need next. `warps`: of an SM at once.
double walkCycles(double bytes, double warps);

} // namespace warplint
