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
  unsigned joined = 0;            ///< of one vector access: 2, 4, 8 or 16
};

/// Runs of one object in one control-equivalent region, and those of loops with
/// a short constant trip count. A run starts at a multiple of the vector's size
/// in each lane, and each lane has its own. In the order of the code.
std::vector<ScalarRun> scalarRuns(const Kernel &kernel,
                                  const ShapeCosts &shape);

} // namespace warplint
