#include "cost/lane_selection.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

LaneValues selectOf(const LaneValues &condition, const LaneValues &yes,
                    const LaneValues &no, unsigned trial, ValueId id) {
  LaneValues result;
  if (!condition.unknown && condition.isUniform()) {
    result = condition.value[0] & 1 ? yes : no;
    result.assumed |= condition.assumed;
    return result;
  }
  result.assumed = condition.assumed | yes.assumed | no.assumed;
  if (condition.unknown && condition.uniform && !yes.unknown && !no.unknown) {
    result = trial % 2 ? no : yes;
    result.assumed = true;
    return result;
  }
  if (condition.isUniform() && yes.isUniform() && no.isUniform() &&
      (condition.unknown || yes.unknown || no.unknown))
    return LaneValues::uniformUnknown(id);
  if (condition.unknown) {
    uint32_t differing = yes.unknown | no.unknown;
    if (!yes.value.isOne() || !no.value.isOne())
      for (unsigned lane = 0; lane < warpSize; ++lane)
        differing |= uint32_t(yes.value[lane] != no.value[lane]) << lane;
    else if (yes.value[0] != no.value[0])
      differing = allLanes;
    result.value.take(yes.value, condition.unknown);
    result.unknown = differing & condition.unknown;
    if (result.unknown)
      result.why = condition.why;
  }
  const uint32_t chosen = condition.holding() & ~condition.unknown;
  result.take(yes, chosen);
  result.take(no, ~chosen & ~condition.unknown);
  return result;
}

namespace {

bool anyUnknown(llvm::ArrayRef<JoinedWay> ways) {
  return llvm::any_of(ways,
                      [](const JoinedWay &way) { return way.value->unknown; });
}

bool agree(llvm::ArrayRef<JoinedWay> ways) {
  return llvm::all_of(ways, [&](const JoinedWay &way) {
    return !way.value->unknown && way.value->value == ways[0].value->value;
  });
}

} // namespace

LaneValues joinOf(llvm::ArrayRef<JoinedWay> ways, unsigned bits, unsigned trial,
                  ValueId id) {
  LaneValues result;
  bool uniformChoice = true, uniformValues = true;
  for (const JoinedWay &way : ways)
    result.assumed |= way.condition->assumed;
  if (ways.size() == 1) {
    LaneValues only = *ways[0].value;
    only.assumed |= result.assumed;
    return only;
  }
  for (const JoinedWay &way : ways) {
    result.assumed |= way.value->assumed;
    uniformChoice &= way.condition->isUniform();
    uniformValues &= way.value->isUniform();
  }
  if (uniformChoice && uniformValues && bits <= 1) {
    bool allKnown = llvm::all_of(ways, [](const JoinedWay &way) {
      return !way.value->unknown && !way.condition->unknown;
    });
    if (!allKnown)
      return agree(ways) ? *ways[0].value : LaneValues::uniformUnknown(id);
  }
  const bool isOne = llvm::all_of(ways, [](const JoinedWay &way) {
    return way.condition->isOne() && way.value->isOne();
  });
  for (unsigned lane = 0; lane < (isOne ? 1 : warpSize); ++lane) {
    const JoinedWay *pick = nullptr;
    bool clash = false;
    for (const JoinedWay &way : ways) {
      bool may = (way.condition->unknown >> lane & 1) ||
                 (way.condition->value[lane] & 1);
      if (!may)
        continue;
      clash |= way.value->unknown >> lane & 1;
      if (pick && way.value->value[lane] != pick->value->value[lane])
        clash = true;
      if (way.value->unknown >> lane & 1)
        result.why = way.value->why;
      pick = &way;
    }
    const uint32_t here = isOne ? allLanes : 1u << lane;
    if (pick && isOne)
      result.value = pick->value->value;
    else if (pick)
      result.value[lane] = pick->value->value[lane];
    if (clash) {
      result.unknown |= here;
      if (!result.why)
        result.why = id;
    }
  }
  // All lanes have the same one of several values. Each trial takes another
  // one, so costs that depend on the choice become a range.
  if (result.unknown && uniformChoice && !anyUnknown(ways)) {
    LaneValues chosen = *ways[trial % ways.size()].value;
    chosen.assumed = true;
    return chosen;
  }
  return result;
}

LaneValues shuffleOf(const LaneValues &value, const LaneValues &lane,
                     ValueId id) {
  if (value.unknown || lane.unknown)
    return lane.isUniform() ? LaneValues::uniformUnknown(id)
                            : LaneValues::varying(id);
  LaneValues result;
  result.assumed = value.assumed | lane.assumed;
  LaneNumbers::Each &each = result.value.each();
  for (unsigned i = 0; i < warpSize; ++i)
    each[i] = value.value[lane.value[i] % warpSize];
  return result;
}

LaneValues ballotOf(const LaneValues &condition, uint32_t existing) {
  if (condition.unknown & existing)
    return LaneValues::uniformUnknown(condition.why, /*votes=*/true);
  return LaneValues::splat(condition.holding() & existing, condition.assumed);
}

} // namespace warplint
