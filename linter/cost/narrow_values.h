// Finds the values of 8 and 16 bits that a loop computes and extends to 32 bits
// in each iteration.
#pragma once
#include "model/model.h"
#include <vector>

namespace warplint {

/// A variable of 8 or 16 bits that each iteration of a loop changes.
struct NarrowValue {
  /// The Join of its values, if the loop carries it; else the Convert that cuts
  /// it off.
  unsigned made;
  /// Operations that need all of its bits in each iteration: comparisons,
  /// shifts to the right, products, quotients, conversions to float. At least
  /// one.
  std::vector<unsigned> uses;
  /// Conversions to its type that give it a new value.
  std::vector<unsigned> updates;
  std::vector<unsigned> extensions; ///< operations that extend it for the uses
  /// Each iteration adds to it what the loop leaves as it is, and does nothing
  /// else with it. Any other value may wrap, and its upper bits must not show.
  bool isCounter = false;
};

/// Leaves out what costs nothing: what fits without being cut off, sums and
/// products whose low bits alone are kept, values that are loaded or stored as
/// they are, and signed counters, which nvcc widens: they must not wrap.
std::vector<NarrowValue> narrowValues(const Kernel &kernel);

} // namespace warplint
