// What a load of a thread's own object reads: the value of the store that wrote
// there, lane by lane.
#pragma once
#include "cost/lane_values.h"

namespace warplint {

/// Of a node that is `Op::Forwarded`. Varying, if a lane may read what several
/// stores wrote, what none did, or a part of what one did.
LaneValues forwardedValues(const ExpressionGraph &graph, ValueId id,
                           OperandValues get);

} // namespace warplint
