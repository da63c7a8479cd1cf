#include "cost/loop_results.h"

namespace warplint {

LaneValues
lastValues(LoopId loop, const Iterations &outside, ConditionIn continuesIn,
           llvm::function_ref<LaneValues(const Iterations &)> valueIn,
           unsigned trial, ValueId id) {
  Iterations iterations = outside;
  uint8_t &iteration = iterations[loop];
  LaneValues result;
  uint32_t left = allLanes;
  for (iteration = 0; left && iteration < iterationsFollowed; ++iteration) {
    const LaneValues &continues = continuesIn(iterations);
    result.assumed |= continues.assumed;
    if (uint32_t lost = left & continues.unknown) {
      if (left == allLanes && continues.uniform &&
          valueIn(iterations).isUniform())
        return LaneValues::uniformUnknown(id);
      result.unknown |= lost;
      result.why = continues.why;
      left &= ~lost;
    }
    const uint32_t leaving = left & ~continues.holding();
    if (leaving)
      result.take(valueIn(iterations), leaving);
    left &= ~leaving;
    // Probe values end the loop here. What data decide one iteration later,
    // as the place that a search finds, is no more known for that.
    if (leaving && continues.assumed && iteration + 1 < iterationsFollowed) {
      Iterations next = iterations;
      ++next[loop];
      const LaneValues &later = valueIn(next);
      if (const uint32_t lost = leaving & later.unknown & ~result.unknown) {
        result.unknown |= lost;
        result.uniform =
            lost == allLanes && later.isUniform() && result.value.areSame();
        result.why = later.why;
      }
    }
  }
  if (left) {
    // The last iteration is a probe value: a multiple of 8, so that it adds no
    // misalignment, and a different one in each trial.
    iteration = iterationsFollowed - 8 - 7 * trial;
    result.take(valueIn(iterations), left);
    result.assumed = true;
  }
  return result;
}

LaneValues everHeld(LoopId loop, const Iterations &outside,
                    ConditionIn continuesIn, ConditionIn holdsIn, ValueId id) {
  Iterations iterations = outside;
  uint8_t &iteration = iterations[loop];
  LaneValues result;
  result.why = id;
  uint32_t yes = 0, maybe = 0, left = allLanes;
  for (iteration = 0; left && iteration < iterationsFollowed; ++iteration) {
    const LaneValues &holds = holdsIn(iterations);
    const LaneValues &continues = continuesIn(iterations);
    result.assumed |= holds.assumed | continues.assumed;
    yes |= left & holds.holding() & ~holds.unknown;
    // Further iterations may follow where it is unknown if the loop goes on.
    maybe |= left & (holds.unknown | continues.unknown);
    left &= continues.holding() & ~yes & ~maybe;
  }
  result.hold(yes);
  result.unknown = (maybe | left) & ~yes;
  return result;
}

} // namespace warplint
