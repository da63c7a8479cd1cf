// Groups accesses that share sectors: the next access in the same region may
// use the bytes of a sector that this one leaves.
#pragma once
#include "cost/costed.h"

namespace warplint {

/// Lines of 128 bytes that L1 looks up for the first request of an access.
unsigned linesOf(const Cost &cost, unsigned bytes);

/// The waste of a global access together with its neighbours.
struct Waste {
  bool real = false; ///< the neighbours do not use the wasted bytes
  /// Sectors that the group touches, and that the bytes used would fill.
  unsigned sectors = 0, idealSectors = 0;
  /// Accesses that share sectors: this one, then those that share a sector with
  /// it, then the rest.
  std::vector<unsigned> group;
};

/// Measured on an H200 with arrays of structures of 8 to 128
/// bytes against structures of arrays (kernels/neighbours.cu):
/// - loads that together use all bytes of their sectors cost nothing (1.00x to
///   1.02x) while these fit into 2 KiB per warp (64 sectors, structures below
///   64 bytes), and 1.5x to 3.6x beyond;
/// - rows that each lane reads its own of cost by the lines of 128 bytes that
///   a request touches: 0.95x to 1.25x up to 12 lines, 1.4x to 2.2x at 16
///   (rows of 64 bytes), 2.8x to 5.8x at 32, however the loop is unrolled;
/// - L1 does not combine stores: 0.96x to 1.28x up to 20 sectors per
///   request (structures up to 20 bytes), and 2.3x to 12x beyond; of 1 and 2
///   bytes by how many requests fill a sector: 1.0x to 1.3x up to four, 1.7x to
///   2.3x at five, and 2.8x to 16x from six, of 12 sectors each;
/// - loads of the same sectors as such stores are as slow (1.3x to 6x). Stores
///   of a few lanes that data select are neither measured nor counted.
Waste waste(const Kernel &kernel, const ShapeCosts &costs, unsigned access);

/// Waste::real, without listing the group.
bool wastes(const Kernel &kernel, const ShapeCosts &costs, unsigned access);

/// Returns true if another access, soon before or after and at other addresses,
/// touches a sector of this one.
bool othersUseItsSectors(const Kernel &kernel, const ShapeCosts &costs,
                         unsigned access);

} // namespace warplint
