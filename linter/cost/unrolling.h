// What a loop costs because the compiler does not know how many iterations it
// has, and keeps it.
#pragma once
#include "cost/costed.h"
#include "cost/kernel_time.h"

namespace warplint {

/// What is left out if a loop of `iterations` iterations is unrolled fully: its
/// counter, comparison, branch and an address, at most half of it, and what it
/// loads again in each iteration of the loop around it: the copies stay in
/// registers.
Demand savedByUnrolling(const Kernel &kernel, const KernelTime &time,
                        LoopId loop, double iterations);

/// The same for the loops that keep an array in local memory since their bounds
/// are not known, beside what the array costs.
Demand savedByKnownBounds(const Kernel &kernel, const KernelTime &time,
                          unsigned array);

} // namespace warplint
