// Which accesses count together: what lanes leave of a sector may be used by
// the next access in the same straight line.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// Whether what one global access wastes is waste indeed, seen with its
/// neighbours.
struct Waste {
  bool real = false;
  /// Of the group: sectors touched, and sectors that the bytes used would fill.
  unsigned sectors = 0, idealSectors = 0;
  std::vector<unsigned> group; ///< accesses that share sectors, itself included
};

/// The rules were measured on an H200 with arrays of structures of 8 to 128
/// bytes against structures of arrays (kernels/neighbours.cu):
/// - loads that together use what they touch cost nothing (1.00x to 1.02x) as
///   long as all of it fits into 2 KiB per warp (64 sectors, structures below
///   64 bytes), and 1.5x to 3.6x beyond;
/// - stores are not held together by L1: 0.96x to 1.28x up to 20 sectors per
///   request (structures up to 20 bytes), and 2.3x to 12x beyond;
/// - loads beside such stores share their fate (1.3x to 6x); not measured, and
///   not counted, are stores of the few lanes that data choose.
Waste waste(const Kernel &kernel, const ShapeCosts &costs, unsigned access);

/// The other accesses, soon before or after, that touch a sector which this one
/// touches too.
std::vector<unsigned> nearbyOnSameSectors(const Kernel &kernel,
                                          const ShapeCosts &costs,
                                          unsigned access);

} // namespace warplint
