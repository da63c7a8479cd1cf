// From what an access' requests sum up to in each trial to its cost: the usual
// figures, their range, and what they rest on.
#pragma once
#include "cost/lanes.h"
#include "cost/request_sums.h"

namespace warplint {

/// What the evaluation of an access notes beside its sums.
struct AccessNotes {
  unsigned keptOut = 0; ///< the trials in which no thread reaches it, as bits
  unsigned least = 0;   ///< its figure if data choose the fewest lanes
  bool hasOpenLanes = false; ///< conditions may leave some lanes
  bool hasDataLanes = false; ///< for an unknown reason
  bool isUnreached = false;  ///< in some trial, probe values keep threads out
  bool isUnguarded = false;  ///< its guard was ignored
  double highWhole = 0;      ///< `Cost::high` of a whole grid

  bool isKeptOut() const { return keptOut == (1u << smallSizes) - 1; }
};

/// Fills in the figures of a cost whose address is known, from the sums of the
/// trials up to `smallSizes`. Ignores trials whose launches exclude the access.
/// Returns false if there are none.
bool takeFigures(llvm::ArrayRef<const RequestSums *> trials, AccessNotes &notes,
                 Cost &cost);

/// Adds the figure of other sizes to the range, if they matter: `other` against
/// that of `large` sizes.
void widenRange(const RequestSums &large, const RequestSums &other,
                AccessNotes &notes, Cost &cost);

/// Exact if no probe value changes the figure of a warp whose lanes all take
/// part, also if the probe values keep all threads from it. Of one address for
/// all lanes, any lanes give that figure. Bounded if it changes by one sector.
void settleBasis(const Access &access, const AccessNotes &notes, Cost &cost);

} // namespace warplint
