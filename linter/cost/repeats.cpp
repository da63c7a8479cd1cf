#include "cost/repeats.h"

namespace warplint {

bool comesAgain(const CostedKernel &costed, const Access &access, LoopId loop) {
  Evaluation evaluation(costed.kernel);
  Shape shape = costed.shapes.front().shape.shape;
  unsigned warps = (shape.threads() + warpSize - 1) / warpSize;
  bool reached = false;
  // A condition such as 'i > k' may fail with large arguments and hold with
  // small ones.
  for (unsigned trial : {0u, smallSizes})
    for (unsigned index = 0; index < warps; ++index) {
      Warp warp(evaluation, shape, index, 0, trial);
      for (uint8_t iteration = 0; iteration < 8; ++iteration) {
        Iterations iterations(costed.kernel.loops.size(), 0);
        iterations[loop] = iteration;
        uint32_t now = warp.may(access.guard, iterations);
        iterations[loop] = iteration + 1;
        if (now & warp.may(access.guard, iterations))
          return true;
        reached |= now != 0;
      }
    }
  // If no thread of this block executes it, threads of other blocks do.
  return !reached;
}

} // namespace warplint
