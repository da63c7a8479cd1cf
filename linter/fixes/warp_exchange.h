// A shuffle, vote or reduction of a warp to what a lane gets (private to
// fixes).
#pragma once
#include "fixes/program.h"
#include <array>
#include <vector>

namespace warplint {

inline constexpr unsigned lanesOfWarp = 32;

/// What the lanes bring that execute the instruction together.
struct WarpOperands {
  uint64_t here = 0; ///< the lanes
  std::array<std::vector<Lanes>, lanesOfWarp> ofLane;
};

/// `name`: of LLVM's intrinsic; of a barrier, nothing is got.
Lanes exchanged(llvm::StringRef name, const WarpOperands &warp, unsigned lane);

} // namespace warplint
