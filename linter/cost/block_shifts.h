// How far from a sector's border other blocks place an access.
#pragma once
#include "cost/request.h"
#include <optional>

namespace warplint {

/// The bytes, modulo a sector, by which other blocks place an access further
/// than the evaluated block does.
struct BlockShifts {
  /// The share of all blocks, by these bytes.
  std::array<double, sectorBytes> share{1};
  bool isWholeGrid = true; ///< else of any number of blocks
  bool any() const { return share[0] < 1; }
};

/// Adds a dimension with `step` bytes from each of its `blocks` (if known) to
/// the next; the evaluated one is at `place`.
BlockShifts shifted(const BlockShifts &from, unsigned step,
                    std::optional<uint64_t> blocks, uint64_t place);

} // namespace warplint
