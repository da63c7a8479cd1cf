// Which value each lane takes: of a select or of paths that meet, and what
// lanes take from each other.
#pragma once
#include "cost/lane_values.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

/// `condition ? yes : no`. A choice that all lanes share and nobody knows is
/// another one in each trial. `id`: the node that asks.
LaneValues selectOf(const LaneValues &condition, const LaneValues &yes,
                    const LaneValues &no, unsigned trial, ValueId id);

/// A value of a join: a lane may have it if the condition may hold.
struct JoinedWay {
  const LaneValues *condition;
  const LaneValues *value;
};

/// Of `bits`. Each of the ways, of which there is one at least, may be that of
/// some lane.
LaneValues joinOf(llvm::ArrayRef<JoinedWay> ways, unsigned bits, unsigned trial,
                  ValueId id);

/// A shuffle: `value` in the lane that `lane` names.
LaneValues shuffleOf(const LaneValues &value, const LaneValues &lane,
                     ValueId id);

/// A bit for each lane of `existing` for which the condition holds.
LaneValues ballotOf(const LaneValues &condition, uint32_t existing);

} // namespace warplint
