// Shared arrays to the padding of their rows that ends bank conflicts.
#pragma once
#include "cost/costed.h"

namespace warplint {

struct Padding {
  unsigned elements = 0; ///< added to the last extent
  uint64_t extent = 0;   ///< the last extent with them
  /// The array has one extent, and the kernel's indexes make rows of it.
  bool isByIndex = false;
  /// Wavefronts of a warp's requests to the array, on average.
  double before = 0, after = 0;
  double ways = 1; ///< that are left of the access's own
};

/// The fewest elements, up to 16, with which the accesses to the shared array
/// behind `access` take the fewest wavefronts; of equal ones, those that leave
/// the instructions whole that the compiler joins from neighbours. If it can
/// be, no access takes more wavefronts than without padding. Nothing if the
/// array has no rows, if padding saves less than a tenth, if a use of the array
/// is not followed or would lose its alignment, or if the block's static shared
/// memory would exceed 48 KiB.
std::optional<Padding> bestPadding(const CostedKernel &costed,
                                   const ShapeCosts &shape, unsigned access);

/// The array whose rows an access is to, whatever pointer leads there: `float
/// *row = tile[threadIdx.x]`. One change of the array ends the conflicts of all
/// pointers into it; parts of an array of one extent may be arrays of their
/// own: then the object of the access.
const std::string &rowsArrayOf(const Kernel &kernel, const Access &access);

} // namespace warplint
