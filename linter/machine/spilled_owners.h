// Finds what a kernel stores to its stack frame for want of registers.
#pragma once
#include "machine/register_values.h"

namespace warplint {

/// Largest first.
std::vector<SpilledOwner> spillsOf(const KernelCode &kernel,
                                   RegisterValues &values);

} // namespace warplint
