// The machine instructions of a kernel that no operation of its source stands
// for: parameters and thread indexes, addresses, the control of loops.
//
// Read from the machine code of nvcc 13.0 for sm_90. The compiler moves and
// shares them, so their number is an estimate.
#pragma once
#include "model/model.h"
#include "model/pipe_counts.h"
#include <vector>

namespace warplint {

struct Bookkeeping {
  Place place;
  std::vector<LoopId> loops; ///< around it, outermost first
  PipeCounts pipes;
};

std::vector<Bookkeeping> bookkeepingOf(const Kernel &kernel);

/// Returns true for a part of the condition of the branch around it: 'b' of
/// 'a && b', which predicates combine.
bool isOfSameCondition(const Kernel &kernel, const Branch &branch);

} // namespace warplint
