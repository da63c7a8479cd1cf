// An atomic and a block shape to how many lanes meet at one address: what the
// memory system has to do one after the other.
#pragma once
#include "cost/warp.h"
#include <optional>

namespace warplint {

/// How the threads of one block, and of all blocks, share the addresses of one
/// access.
struct Contention {
  double share =
      0; ///< of the block's threads that get there, in a first iteration
  bool guardedByData = false; ///< which lanes get there depends on loaded data,
                              ///< or on whether two things are the same that
                              ///< are both made of arguments
  bool known = false;         ///< the addresses; else the next four say nothing
  double lanes = 0, addresses = 0; ///< of a request, on average
  double perAddress = 0; ///< threads of a block for each of its addresses
  bool sameInAllBlocks = false;
  /// Distinct addresses in the whole grid at most, where the expression alone
  /// says so: 256 for a byte, 16 for `key & 15`.
  std::optional<uint64_t> mostAddresses;

  double lanesPerAddress() const { return addresses ? lanes / addresses : 0; }
};

Contention contention(const Kernel &kernel, Shape shape, const Access &access);

/// Distinct values of an expression at most, over all threads, blocks and
/// iterations; nothing if it does not say. Negative indexes are taken not to
/// occur after a signed `%`.
std::optional<uint64_t> mostValues(const Kernel &kernel, Shape shape,
                                   ValueId value);

} // namespace warplint
