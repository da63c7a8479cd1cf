// Computes how many lanes update one address with an atomic: updates that the
// memory system serialises.
#pragma once
#include "cost/costed.h"
#include "cost/warp.h"
#include <optional>

namespace warplint {

/// How the threads of a block, and of all blocks, share the addresses of an
/// access.
struct Contention {
  double share =
      0; ///< of the block's threads that execute it, in a first iteration
  bool guardedByData = false; ///< loaded data select the lanes, or an equality
                              ///< of two values that are both computed from
                              ///< arguments
  bool known = false;         ///< the addresses; else ignore the next five
  double lanes = 0, addresses = 0; ///< per request, on average
  double perAddress = 0;           ///< threads of a block per distinct address
  bool sameInAllBlocks = false;
  /// With small sizes, as in `sums[i / size]`, fewer lanes share an address.
  bool ofLargeSizes = false;
  /// Upper bound of the distinct addresses in the grid, if the expression
  /// implies one: 256 for a byte, 16 for `key & 15`.
  std::optional<uint64_t> mostAddresses;

  double lanesPerAddress() const { return addresses ? lanes / addresses : 0; }
  /// The lanes of a request that update one address after the other. Where data
  /// choose the addresses, two at least (H200, compare-and-swap in shared
  /// memory: 1.9 times as long for 4,096 words as for one of each lane, 3.5 for
  /// 16, 10 for 4).
  double lanesAtOneAddress() const;
};

/// With the arguments of the shape's launches, of the first eight at most: the
/// one decides in which the most lanes share an address.
Contention contention(const Kernel &kernel, const KernelShape &shape,
                      const Access &access);

/// The same for the access of that index, computed once.
const Contention &contentionOf(const Kernel &kernel, const ShapeCosts &costs,
                               unsigned access);

/// Upper bound of the distinct values of an expression over all threads, blocks
/// and iterations, if it implies one. Assumes that a signed `%` gives no
/// negative index.
std::optional<uint64_t> mostValues(const Kernel &kernel, Shape shape,
                                   ValueId value);

/// The values that an expression has at least and at most.
struct Bounds {
  int64_t low, high;
};

/// Those that its operations imply, if any: 0 and 7 of `flags & 7`.
std::optional<Bounds> boundsOf(const Kernel &kernel, Shape shape,
                               ValueId value);

} // namespace warplint
