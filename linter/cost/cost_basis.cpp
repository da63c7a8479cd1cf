#include "cost/cost_basis.h"
#include "llvm/ADT/bit.h"

namespace warplint {

bool takeFigures(llvm::ArrayRef<const RequestSums *> trials, AccessNotes &notes,
                 Cost &cost) {
  // Each trial uses another launch.
  const unsigned without = notes.isKeptOut() ? 0 : notes.keptOut;
  const RequestSums &usual = *trials[llvm::countr_one(without)];
  if (!cost.why.empty() || !usual.requests)
    return false;
  cost.cause.reset();
  cost.sectors = usual.sectors / usual.requests;
  cost.idealSectors = usual.ideal / usual.requests;
  cost.ways = usual.ways / usual.requests;
  cost.wavefronts = usual.wavefronts / usual.requests;
  cost.lanes = usual.lanes / usual.requests;
  cost.low = usual.low(cost.space);
  cost.high = usual.high(cost.space);
  cost.lowWhole = notes.highWhole = usual.value(cost.space);
  for (unsigned trial = 0; trial < trials.size(); ++trial)
    if (const RequestSums &sums = *trials[trial];
        sums.requests && !(without >> trial & 1)) {
      const double low = sums.low(cost.space), high = sums.high(cost.space),
                   value = sums.value(cost.space);
      cost.low = std::min(cost.low, low);
      cost.high = std::max(cost.high, high);
      cost.lowWhole = std::min(cost.lowWhole, sums.isWholeGrid ? value : low);
      notes.highWhole =
          std::max(notes.highWhole, sums.isWholeGrid ? value : high);
    }
  if (!cost.chosenBy.empty()) {
    cost.low = std::min<double>(cost.low, notes.least);
    cost.lowWhole = std::min<double>(cost.lowWhole, notes.least);
  }
  return true;
}

void widenRange(const RequestSums &large, const RequestSums &other,
                AccessNotes &notes, Cost &cost) {
  if (!cost.high || !other.requests || !large.requests ||
      other.value(cost.space) == large.value(cost.space))
    return;
  cost.low = std::min(cost.low, other.low(cost.space));
  cost.lowWhole = std::min(cost.lowWhole, other.low(cost.space));
  cost.high = std::max(cost.high, other.high(cost.space));
  notes.highWhole = std::max(notes.highWhole, other.high(cost.space));
}

namespace {

/// The figure of the cheapest lane of the first request.
double ofOneLane(const Access &access, const Cost &cost) {
  double least = warpSize * sectorBytes;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (cost.active >> lane & 1)
      least = std::min<double>(least, figureOf(cost.space, cost.addresses,
                                               1u << lane, access.bytes));
  return least;
}

} // namespace

void settleBasis(const Access &access, const AccessNotes &notes, Cost &cost) {
  if (!cost.high)
    return;
  const bool isSettled = !notes.isUnreached ||
                         (!notes.hasDataLanes && !notes.isUnguarded) ||
                         notes.highWhole <= ofOneLane(access, cost);
  const double range = notes.highWhole - cost.lowWhole;
  const bool isInSectors =
      cost.space != Space::Shared && !isConstantBank(cost.space);
  cost.basis = !isSettled                         ? Basis::Assumed
               : range < 1e-9                     ? Basis::Exact
               : isInSectors && range <= 1 + 1e-9 ? Basis::Bounded
                                                  : Basis::Assumed;
  if (notes.hasOpenLanes)
    cost.low = std::min(cost.low, ofOneLane(access, cost));
  // Compare-and-swap loops repeat where lanes meet at one address.
  if (access.operation == Operation::Atomic && !access.isNativeAtomic &&
      cost.space == Space::Shared)
    cost.high = std::max(cost.high, cost.lanes);
}

} // namespace warplint
