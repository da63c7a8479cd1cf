#include "cost/lane_values.h"

namespace warplint {

LaneValues LaneValues::splat(uint64_t value, bool assumed) {
  LaneValues result;
  result.value.fill(value);
  result.assumed = assumed;
  return result;
}

LaneValues LaneValues::varying(ValueId why) {
  LaneValues result;
  result.unknown = allLanes;
  result.assumed = true;
  result.why = why;
  return result;
}

LaneValues LaneValues::uniformUnknown(ValueId why, bool votes) {
  LaneValues result = varying(why);
  result.uniform = true;
  result.votes = votes;
  return result;
}

void LaneValues::take(const LaneValues &from, uint32_t lanes) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (lanes >> lane & 1)
      value[lane] = from.value[lane];
  assumed |= from.assumed;
  if (from.unknown & lanes) {
    unknown |= from.unknown & lanes;
    why = from.why;
  }
}

void LaneValues::add(const LaneValues &from, unsigned bits) {
  const bool areUniform = isUniform() && from.isUniform();
  if (from.unknown && !unknown)
    why = from.why;
  assumed |= from.assumed;
  unknown |= from.unknown;
  if (unknown && areUniform) {
    *this = uniformUnknown(why);
    return;
  }
  uniform = false;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    value[lane] = cut(value[lane] + from.value[lane], bits);
}

} // namespace warplint
