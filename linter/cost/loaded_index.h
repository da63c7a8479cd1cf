// Finds the loaded values that an address is computed from: a gather or a
// scatter.
//
// Only data flow counts. A loaded value that only decides a branch, such as a
// bound, moves no address.
#pragma once
#include "cost/warp.h"

namespace warplint {

class LoadedIndexes {
public:
  /// Masks and divisors limit an index; those that the launches give, too.
  LoadedIndexes(const Kernel &kernel, Shape shape,
                llvm::ArrayRef<Launched> launches = {});
  ~LoadedIndexes();

  /// The loaded values in `address` that differ from lane to lane and may move
  /// it by `distance` bytes or more: an index of 8 bits or behind a mask may
  /// not. In the order of the expression.
  std::vector<ValueId> of(ValueId address, uint64_t distance);
  /// The bytes by which they may move it.
  uint64_t reach(ValueId address);
  /// The number that a value is in all threads, if it is a constant or the
  /// first launch gives it.
  std::optional<uint64_t> numberOf(ValueId value);

private:
  class Reach;
  std::unique_ptr<Reach> reach_;
};

} // namespace warplint
