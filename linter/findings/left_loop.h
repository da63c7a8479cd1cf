// Finds what the compiler left of a source loop: the loop itself, and how many
// copies of its body one iteration holds.
#pragma once
#include "findings/check.h"

namespace warplint {

enum class LoopState {
  Left,    ///< the PTX has it
  Gone,    ///< unrolled as a whole, or removed
  Unknown, ///< nothing in the PTX tells
};

struct LeftLoop {
  LoopState state = LoopState::Unknown;
  /// Copies of the body in one iteration of the PTX loop, the fewest over the
  /// accesses of the body; 0 if nothing shows how many.
  double copies = 0;
};

/// Looks for the accesses of the loop's body in loops of the PTX; if it has
/// none, for a PTX loop at its line. `view.ptx` must not be null.
LeftLoop leftOf(LoopId loop, const CompiledView &view);

/// "the PTX has the loop, with 4 copies of its body in one iteration".
std::string inWords(const LeftLoop &left);

} // namespace warplint
