// An address to the loaded values that it is computed from: what makes an
// access a gather or a scatter.
//
// Only the flow of values counts. A loaded value that merely decides which way
// a branch goes, such as a bound that is tested, moves no address.
#pragma once
#include "cost/warp.h"

namespace warplint {

class LoadedIndexes {
public:
  LoadedIndexes(const Kernel &kernel, Shape shape);
  ~LoadedIndexes();

  /// The values loaded from memory, different from lane to lane, that go into
  /// `address` and may move it by `distance` bytes or more: an index of 8 bits
  /// or behind a mask may not. In the order of the expression.
  std::vector<ValueId> of(ValueId address, uint64_t distance);

private:
  class Reach;
  std::unique_ptr<Reach> reach_;
};

} // namespace warplint
