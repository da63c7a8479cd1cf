// Finds the double arithmetic of a kernel that begins and ends in floats: what
// the source computes in double without storing or receiving a double.
#pragma once
#include "model/model.h"
#include <vector>

namespace warplint {

/// Double operations that pass values to each other.
struct DoubleIsland {
  /// The arithmetic and functions of type f64 that the compiler keeps, and its
  /// conversions from and to other types, in the order of the code.
  std::vector<unsigned> operations, conversions;
};

/// Leaves out what is double on purpose: islands with a double from or to
/// memory, a value that the source converts by a cast, and a sum that a loop
/// accumulates; and what nvcc narrows to float by itself: one operation on
/// floats and constants that a float holds, whose result becomes a float.
std::vector<DoubleIsland> accidentalDoubles(const Kernel &kernel);

} // namespace warplint
