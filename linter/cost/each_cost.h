// The costs of accesses one by one, before `joined` changes those that several
// accesses have together.
#pragma once
#include "cost/lanes.h"

namespace warplint {

struct EachCost {
  std::vector<Cost> costs; ///< by access; only those that were asked for
  bool isCheap = false;    ///< the limit of evaluations is not near
  /// Objects were found behind loaded pointers: they are numbered in the order
  /// in which the accesses lead to them.
  bool hasFound = false;
};

EachCost costsOfEach(const Kernel &kernel, const KernelShape &shape,
                     std::vector<unsigned> asked);

std::vector<unsigned> allAccesses(const Kernel &kernel);

} // namespace warplint
