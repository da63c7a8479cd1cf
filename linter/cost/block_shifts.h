// How other blocks place an access: how far from a sector's border, and whether
// its lanes lie to each other as they do in the evaluated block.
#pragma once
#include "cost/request.h"
#include <optional>
#include <vector>

namespace warplint {

/// The bytes, modulo a sector, by which other blocks place an access further
/// than the evaluated block does.
struct BlockShifts {
  /// The share of all blocks, by these bytes.
  std::array<double, sectorBytes> share{1};
  bool isWholeGrid = true; ///< else of any number of blocks
  bool any() const { return share[0] < 1; }
  bool operator==(const BlockShifts &) const = default;
};

/// Adds a dimension with `step` bytes from each of its `blocks` (if known) to
/// the next; the evaluated one is at `place`.
BlockShifts shifted(const BlockShifts &from, unsigned step,
                    std::optional<uint64_t> blocks, uint64_t place);

/// The bytes, modulo a sector, by which all lanes move from the addresses of
/// one block to those of another; none if they do not move alike.
std::optional<unsigned> shiftBetween(const LaneValues &from,
                                     const LaneValues &to, uint32_t lanes);

/// False if the addresses of the lanes are known and do not all move by the
/// same bytes.
bool haveSameShape(const LaneValues &from, const LaneValues &to,
                   uint32_t lanes);

/// By node, the dimensions of the grid that its value depends on, as bits.
std::vector<uint8_t> blockDimensions(const ExpressionGraph &graph);

} // namespace warplint
