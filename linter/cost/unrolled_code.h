// Loads that the compiler leaves out since it unrolls loops fully: registers keep
// their values for the iterations of a loop around them.
#pragma once
#include "cost/frequency.h"
#include "model/model.h"
#include <vector>

namespace warplint {

/// By access, the part of its requests that is left: 1 for most. A load in a
/// loop that is unrolled, whose address the loop around that one leaves as it
/// is, stands before both where nothing in them writes memory and its values
/// take few registers (H200: a million points of 16 floats against 64 centres
/// take 184 us; 2,186 if each centre loaded the point again).
std::vector<double> partsHeld(const Kernel &kernel, Frequencies &frequencies);

} // namespace warplint
