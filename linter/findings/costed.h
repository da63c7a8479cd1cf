// A kernel with the cost of its accesses, computed once for all checks.
#pragma once
#include "model/lanes.h"

namespace warplint {

struct ShapeCosts {
  KernelShape shape;
  std::vector<Cost> costs; ///< by access
};

struct CostedKernel {
  const Kernel &kernel;
  std::vector<ShapeCosts> shapes;
};

CostedKernel costed(const Kernel &kernel);

} // namespace warplint
