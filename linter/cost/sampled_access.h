// An access in the blocks that stand for a grid.
#pragma once
#include "cost/block_average.h"
#include "model/model.h"

namespace warplint {

/// The accesses that are evaluated together in these blocks.
struct SampledTogether {
  uint8_t dimensions; ///< of the grid in which the blocks differ, as bits
  bool dependsOnData; ///< such an access differs in each trial

  auto operator<=>(const SampledTogether &) const = default;
};

/// True if data or what nobody knows may choose the address, the lanes or the
/// iterations of an access.
bool dependsOnData(const Kernel &kernel, const Access &access);

struct SampledAccess {
  size_t access;
  BlockAverage average;
  bool isWhole; ///< no block of a known grid is left out
  bool isEnded = false;
  RequestSums block = {}; ///< of the current block

  /// Ends the current block. `isSpent`: it may not be whole, and is the last.
  void endBlock(const SampledBlock &at, bool isSpent);
  /// Replaces the figures of one block by the average, which is that of all
  /// blocks if all runs have it, as where blocks alternate; of a grid that is
  /// not known, widens their range alone. Expects a block in the average.
  void take(bool isKnown, RequestSums &sum) const;
};

} // namespace warplint
