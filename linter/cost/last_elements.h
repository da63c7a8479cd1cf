// Code for the last elements of a size alone: what steps of several elements
// leave of it.
#pragma once
#include "model/model.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace warplint {

/// The elements for which alone a comparison with a size holds.
struct LastElements {
  int64_t count = 0; ///< 8 for `n - i < 8` and `i + 8 > n`; 0: as a rule none,
                     ///< since vectors move all that is aligned
  /// The size is that of a row that each block steps through: the index is one
  /// of threads, not of blocks.
  bool isOfEachBlock = false;
  ValueId comparison = 0;
};

/// Returns them if `guard`, or what enters one of `loops`, lets only the last
/// elements of a size through.
std::optional<LastElements> lastElementsUnder(const Kernel &kernel,
                                              llvm::ArrayRef<LoopId> loops,
                                              ValueId guard);

} // namespace warplint
