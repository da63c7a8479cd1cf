// A kernel with the cost of its accesses, computed once for all checks.
#pragma once
#include "cost/lanes.h"
#include "cost/threshold.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

struct ShapeCosts {
  KernelShape shape;
  std::vector<Cost> costs; ///< by access
};

struct CostedKernel {
  const Kernel &kernel;
  std::vector<ShapeCosts> shapes;
  Tuning tuning = {}; ///< of the kernel's source

  unsigned valueOf(const Threshold &threshold) const {
    return warplint::valueOf(threshold, tuning);
  }
};

CostedKernel costed(const Kernel &kernel, const Tuning &tuning = {});

/// The shape in which `loss` is greatest; null if it is nowhere above 0.
const ShapeCosts *
worstShape(const CostedKernel &costed,
           llvm::function_ref<double(const ShapeCosts &)> loss);

} // namespace warplint
