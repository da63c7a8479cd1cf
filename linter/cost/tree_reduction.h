// Finds reductions in shared memory in which each step halves the threads that
// work, with a barrier between the steps.
#pragma once
#include "cost/block_lanes.h"
#include <optional>
#include <string>

namespace warplint {

/// A reduction of one or more arrays in shared memory to one element of each.
struct TreeReduction {
  /// Its steps are the iterations; none if the steps are written one by one.
  std::optional<LoopId> loop;
  std::vector<unsigned> accesses; ///< of the arrays, in the steps
  std::vector<unsigned> barriers; ///< between its steps
  std::string object;             ///< the first array
  unsigned steps = 0;
  unsigned firstThreads = 0; ///< that work in the first step
  unsigned lastThreads = 0;  ///< in the last one
  /// The threads that work are not the first ones of the block, but every
  /// second one, every fourth one, ...
  bool isInterleaved = false;
  bool isRepeated = false; ///< a loop stands around it
};

/// Returns those whose steps are known in blocks of this shape and end with one
/// thread, or with one for each row of the block. A scan, which goes down the
/// tree again or reads what its steps leave behind, is none, nor is a transform
/// that stores what each step gives.
std::vector<TreeReduction> treeReductions(const Kernel &kernel,
                                          const KernelShape &shape);

} // namespace warplint
