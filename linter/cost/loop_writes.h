// Finds the loops around a write that could be done once, after them.
#pragma once
#include "cost/costed.h"
#include <optional>
#include <vector>

namespace warplint {

/// Loops around a write in which each iteration writes the address that the
/// one before wrote, and nothing needs the values in between.
struct RepeatedWrite {
  LoopId innermost = 0, outermost = 0;
  /// Loops inside `outermost` whose iterations write different elements.
  std::vector<LoopId> elements;
};

/// Returns nothing if no loop repeats the write, or if the values in between
/// may be needed: other threads read them, the address changes, the loop has a
/// fence, or the write signals a rare event.
std::optional<RepeatedWrite> repeatedWrite(const CostedKernel &costed,
                                           unsigned write);

} // namespace warplint
