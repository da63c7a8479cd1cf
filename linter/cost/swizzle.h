// Shared arrays of one extent to the order of their elements that ends bank
// conflicts where indexes make no rows, as those of a sorting network.
#pragma once
#include "cost/costed.h"
#include "cost/demand.h"

namespace warplint {

struct Swizzle {
  /// Element i lies at `i + i / 32`; else at `i ^ (i & 32 ? 31 : 0)`, which
  /// also serves strides that a loop doubles or halves: lanes whose indexes
  /// differ in this bit use the banks that the others leave, whatever the
  /// stride is.
  bool isPadding = false;
  uint64_t elements = 0; ///< of the array, with those that are left out
  /// Wavefronts of a warp's requests to the array, on average.
  double before = 0, after = 0;
  double ways = 1; ///< that are left for the access
  /// The instructions of the order: a shift and a sum, or a mask, a choice and
  /// an exclusive or, for each index of the array.
  Demand added;
};

/// The better of both for the array of 4-byte elements behind `access`; the
/// first if they are equal. Nothing if it saves less than a tenth, or if a use
/// of the array is not followed or one of several neighbours.
std::optional<Swizzle> bestSwizzle(const CostedKernel &costed,
                                   const ShapeCosts &shape, unsigned access);

} // namespace warplint
