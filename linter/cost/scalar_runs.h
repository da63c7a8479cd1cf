// Finds neighbouring elements that a thread accesses one by one.
#pragma once
#include "cost/costed.h"
#include <vector>

namespace warplint {

/// Elements of global memory next to each other that one thread accesses
/// together, and that one aligned access could move for any sizes.
struct ScalarRun {
  std::vector<unsigned> accesses; ///< by address; one, if a short loop has it
  unsigned elements = 0;          ///< of the whole run
  /// Of one vector access: 2, 4, 8 or 16. A load may move one more than the run
  /// has: three bytes of four.
  unsigned joined = 0;
};

/// Runs of one object in one control-equivalent region, and those of loops with
/// a constant trip count within a line of 128 bytes. Each lane has its own run,
/// which holds a whole vector at a multiple of its size, at the same place in
/// each lane. In the order of the code.
std::vector<ScalarRun> scalarRuns(const Kernel &kernel,
                                  const ShapeCosts &shape);

} // namespace warplint
