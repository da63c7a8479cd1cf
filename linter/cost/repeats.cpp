#include "cost/repeats.h"

namespace warplint {

bool comesAgain(const CostedKernel &costed, const Access &access, LoopId loop) {
  Evaluation evaluation(costed.kernel);
  Shape shape = costed.shapes.front().shape.shape;
  unsigned warps = (shape.threads() + warpSize - 1) / warpSize;
  bool reached = false;
  // What a large argument keeps out, such as 'i > k', a small one may let in.
  for (unsigned trial : {0u, smallSizes})
    for (unsigned index = 0; index < warps; ++index) {
      Warp warp(evaluation, shape, index, 0, trial);
      for (uint8_t turn = 0; turn < 8; ++turn) {
        Turns turns(costed.kernel.loops.size(), 0);
        turns[loop] = turn;
        uint32_t now = warp.may(access.guard, turns);
        turns[loop] = turn + 1;
        if (now & warp.may(access.guard, turns))
          return true;
        reached |= now != 0;
      }
    }
  // Where no thread of the block that is looked at gets, others do.
  return !reached;
}

} // namespace warplint
