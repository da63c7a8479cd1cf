// Evaluates conditions in all threads of one block, by what is known of them
// and not by probe values.
#pragma once
#include "cost/warp.h"
#include <deque>
#include <optional>
#include <vector>

namespace warplint {

/// Threads of a block: the lanes of each of its warps.
using Threads = std::vector<uint32_t>;

unsigned count(const Threads &threads);
unsigned mostInOneWarp(const Threads &threads);

class BlockLanes {
public:
  /// For the block at `place` in the grid; without one, of any block.
  BlockLanes(const Kernel &kernel, const KernelShape &shape,
             std::optional<BlockPlace> place = {});

  /// The threads for which the condition may hold; the others it rules out,
  /// whatever the sizes and the data are.
  Threads may(ValueId condition, const Iterations &iterations);
  /// The threads for which it holds, whatever the sizes and the data are.
  Threads must(ValueId condition, const Iterations &iterations);

  /// The iterations of each thread in a loop that counts in equal steps to a
  /// bound, as far as each of them is known, in the first iterations of the
  /// loops around.
  std::optional<std::vector<double>> trips(LoopId loop);

private:
  std::optional<std::vector<double>> tripsUntil(ValueId condition, LoopId loop);
  bool moves(ValueId value, LoopId loop);

  const Kernel &kernel_;
  Evaluation evaluation_;
  std::deque<Warp> warps_;
};

} // namespace warplint
