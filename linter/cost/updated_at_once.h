// The memory that atomics of the blocks which run at once update. Blocks begin
// in order, along x first, so those of `sums[blockIdx.y]` meet in few sectors,
// however many the whole grid updates.
#pragma once
#include "cost/first_warps.h"
#include <optional>

namespace warplint {

struct UpdatedAtOnce {
  double sectors; ///< of 32 bytes, in which such an address lies
  double slices;  ///< of L2, of 512 bytes each
};

/// What the first `blocks` of the grid update in their first iterations; none
/// if an address is unknown. `warps` of a block lead to different addresses.
/// Evaluates at most 512 warps: what more blocks would add is what the last
/// ones have added.
std::optional<UpdatedAtOnce>
updatedAtOnce(FirstWarps &first, const BlockPlace &grid, const Access &access,
              const Cost &cost, double blocks, unsigned warps);

} // namespace warplint
