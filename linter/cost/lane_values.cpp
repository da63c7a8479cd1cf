#include "cost/lane_values.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

namespace {

/// Memory for numbers lane by lane, which is needed and given back for most
/// operations.
class Rooms {
public:
  ~Rooms() {
    for (LaneNumbers::Each *room : free_)
      delete room;
  }
  LaneNumbers::Each *take() {
    return free_.empty() ? new LaneNumbers::Each : free_.pop_back_val();
  }
  void give(LaneNumbers::Each *room) { free_.push_back(room); }

private:
  llvm::SmallVector<LaneNumbers::Each *, 0> free_;
};

thread_local Rooms rooms;

} // namespace

LaneNumbers::Each *LaneNumbers::room() { return rooms.take(); }
void LaneNumbers::give(Each *room) { rooms.give(room); }

bool LaneNumbers::operator==(const LaneNumbers &other) const {
  if (isOne() && other.isOne())
    return one_ == other.one_;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if ((*this)[lane] != other[lane])
      return false;
  return true;
}

void LaneNumbers::take(const LaneNumbers &from, uint32_t lanes) {
  if (lanes == allLanes) {
    *this = from;
    return;
  }
  if (!lanes || (isOne() && from.isOne() && one_ == from.one_))
    return;
  Each &numbers = each();
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (lanes >> lane & 1)
      numbers[lane] = from[lane];
}

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
  value.take(from.value, lanes);
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
  if (value.isOne() && from.value.isOne())
    return value.fill(cut(value[0] + from.value[0], bits));
  LaneNumbers::Each &each = value.each();
  for (unsigned lane = 0; lane < warpSize; ++lane)
    each[lane] = cut(each[lane] + from.value[lane], bits);
}

} // namespace warplint
