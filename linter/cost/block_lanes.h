// Evaluates conditions in all threads of one block, by what is known of them
// and not by probe values.
#pragma once
#include "cost/warp.h"
#include <deque>
#include <vector>

namespace warplint {

/// Threads of a block: the lanes of each of its warps.
using Threads = std::vector<uint32_t>;

unsigned count(const Threads &threads);
unsigned mostInOneWarp(const Threads &threads);

class BlockLanes {
public:
  BlockLanes(const Kernel &kernel, const KernelShape &shape);

  /// The threads for which the condition may hold; the others it rules out,
  /// whatever the sizes and the data are.
  Threads may(ValueId condition, const Iterations &iterations);

private:
  Evaluation evaluation_;
  std::deque<Warp> warps_;
};

} // namespace warplint
