// Loops that have more iterations in some lanes than in others.
#pragma once
#include "cost/warp.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

/// The iterations of a loop that has more of them in some lanes than in others:
/// those of the slowest lane of a warp.
struct Slowest {
  double mean = 0; ///< over the warps of the launch that enter it
  /// Of the warps of the block that has most of them.
  double meanOfBlock = 0;
  /// Of the slowest warp of a block, on average, and of all blocks.
  double ofBlock = 0, ofAll = 0;
};

/// Returns them for a loop such as `j < i` of the thread's element; `between`
/// counts the iterations of a counter by its first value, its next one and the
/// bound. None if the counts of any two lanes differ by one at most, as where
/// threads share the iterations by a stride.
std::optional<Slowest>
countOfSlowest(Evaluation &evaluation, const KernelShape &shape, LoopId loop,
               ValueId counter, ValueId bound,
               llvm::function_ref<double(double, double, double)> between);

} // namespace warplint
