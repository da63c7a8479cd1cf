// Decides if all threads of a block reach a barrier together.
#pragma once
#include "cost/block_lanes.h"
#include <string>

namespace warplint {

/// The condition that decides which threads of a block reach a barrier.
enum class ArrivalBy {
  Index,  ///< their indexes, with the constants of the launch
  Sizes,  ///< a size that no launch gives: with another one, all of them may
  Length, ///< a loaded length that all of them share, of a loop that each
          ///< begins at its own index
  Data    ///< what each of them has loaded
};

/// Some threads of a block reach a barrier, and others do not.
struct PartialArrival {
  ArrivalBy by = ArrivalBy::Index;
  /// Of indexes and sizes: threads that reach it in the example, at most.
  unsigned arriving = 0;
  unsigned threads = 0;     ///< of the block in the example
  bool inIteration = false; ///< they pass it a different number of times
  std::string name;         ///< of the size, or the text of the load
  uint64_t value = 0;       ///< of the size in the example
  /// The barrier is in a loop, and the others return before it.
  bool othersReturn = false;
  /// Those that arrive store parts of shared memory, and the others none: a
  /// tile may have a hole. False only if no thread that stays away has such a
  /// part.
  bool leavesHole = true;
};

/// Returns nothing if all threads of each block reach the barrier, and if that
/// is unknown. A condition is tried with sizes in the middle of a block. In a
/// shape that is assumed, the same must hold in all usual ones.
std::optional<PartialArrival> partialArrival(const Kernel &kernel,
                                             const KernelShape &shape,
                                             const Barrier &barrier);

/// Returns the barrier at which the rest of a block waits, if whole warps reach
/// `barrier`, and the others that one: roles of warps. Null if there is none.
const Barrier *barrierOfOtherWarps(const Kernel &kernel,
                                   const KernelShape &shape,
                                   const Barrier &barrier);

/// Returns true if which thread it is may decide on the condition.
bool dependsOnThread(const Kernel &kernel, ValueId condition);

} // namespace warplint
