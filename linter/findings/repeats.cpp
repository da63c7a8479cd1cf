#include "findings/repeats.h"

namespace warplint {

bool comesAgain(const CostedKernel &costed, const Access &access, LoopId loop) {
  Evaluation evaluation(costed.kernel);
  Shape shape = costed.shapes.front().shape.shape;
  unsigned warps = (shape.threads() + warpSize - 1) / warpSize;
  for (unsigned index = 0; index < warps; ++index) {
    Warp warp(evaluation, shape, index, 0, 0);
    for (uint8_t turn = 0; turn < 8; ++turn) {
      Turns turns(costed.kernel.loops.size(), 0);
      turns[loop] = turn;
      uint32_t now = warp.may(access.guard, turns);
      turns[loop] = turn + 1;
      if (now & warp.may(access.guard, turns))
        return true;
    }
  }
  return false;
}

} // namespace warplint
