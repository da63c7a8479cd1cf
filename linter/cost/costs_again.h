// The costs of a kernel's accesses once more, for launches with other
// arguments: only what these arguments decide is evaluated again.
#pragma once
#include "cost/lanes.h"
#include <memory>

namespace warplint {

class CostsAgain {
public:
  /// Evaluates all accesses for `shape`; refers to `kernel`.
  CostsAgain(const Kernel &kernel, const KernelShape &shape);
  ~CostsAgain();

  /// The same as `costs(kernel, shape)` of cost/lanes.
  std::vector<Cost> costs(const KernelShape &shape) const;

private:
  struct State;
  std::unique_ptr<const State> state_;
};

} // namespace warplint
