// Code for the last elements of a size alone: what steps of several elements
// leave of it.
#pragma once
#include "model/model.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
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

/// Finds them for the accesses of one kernel, whose guards have most of their
/// conditions in common: each condition is looked at once.
class FindLastElements {
public:
  explicit FindLastElements(const Kernel &kernel) : kernel_(kernel) {}

  /// Returns them if `guard`, or what enters one of `loops`, lets only the last
  /// elements of a size through.
  std::optional<LastElements> operator()(llvm::ArrayRef<LoopId> loops,
                                         ValueId guard);

  /// How many conditions were looked at.
  size_t looks() const { return known_.size(); }

private:
  std::optional<LastElements> of(ValueId condition, bool isNegated = false);
  std::optional<LastElements> compute(ValueId condition, bool isNegated);

  const Kernel &kernel_;
  std::map<std::pair<ValueId, bool>, std::optional<LastElements>> known_;
};

} // namespace warplint
