#include "cost/access_requests.h"
#include "cost/address_roots.h"
#include "cost/choices.h"
#include "cost/open_lanes.h"
#include "cost/reached.h"
#include "cost/unknown_reason.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace warplint {

const Launched *launchOf(llvm::ArrayRef<Launched> launches, unsigned trial) {
  return launches.empty()       ? nullptr
         : trial >= firstChoice ? &launches[0]
                                : &launches[trial % launches.size()];
}

unsigned evaluatedBlocks(llvm::ArrayRef<Launched> launches, unsigned trial) {
  const Launched *launch = launchOf(launches, trial);
  const uint64_t all = launch ? launch->blocks().value_or(0) : 0;
  return all && all <= fewBlocks ? all : 1;
}

namespace {

/// A row of a tile that fewer lanes fill is not along threadIdx.x.
constexpr int fewLanes = 8;

/// The lanes that access what is in the array in shared memory: a block of
/// another shape has no others.
uint32_t lanesInside(const Object *object, const LaneAddresses &addresses,
                     uint32_t active, unsigned bytes) {
  if (!object || object->space != Space::Shared || !object->bytes)
    return active;
  uint32_t inside = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (const int64_t offset = offsetInObject(addresses[lane]);
        (active >> lane & 1) && offset >= 0 &&
        uint64_t(offset) + bytes <= object->bytes)
      inside |= uint32_t(1) << lane;
  return inside;
}

} // namespace

AccessRequests::AccessRequests(const Kernel &kernel, const KernelShape &shape)
    : kernel(kernel), shape(shape.shape),
      isAssumed(shape.source == ShapeSource::Assumed), launches(shape.launches),
      evaluation(kernel, launches), costs(kernel.accesses.size()),
      notes(kernel.accesses.size()), shifts(kernel.accesses.size()),
      counters_(kernel.accesses.size()), mostWays_(kernel.accesses.size()) {}

RequestSums AccessRequests::unguarded(Warp &warp, size_t i, unsigned trial,
                                      std::string &why) {
  RequestSums sum;
  // An option may be what keeps threads from the access.
  if (trial >= firstChoice && !warp.may(kernel.accesses[i].guard, Iterations()))
    return sum;
  if (costs[i].why.empty() && kernel.accesses[i].bytes)
    add(warp, i, trial, Iterations(), warp.lanes(), sum, why);
  return sum;
}

void AccessRequests::run(Warp &warp, size_t i, unsigned trial,
                         RequestSums &sum) {
  const Access &access = kernel.accesses[i];
  if (access.bytes == 0) {
    costs[i].why = "how the compiler copies";
    return;
  }
  auto visit = [&](const Iterations &iterations) {
    uint32_t active = warp.may(access.guard, iterations);
    return !active ||
           add(warp, i, trial, iterations, active, sum, costs[i].why);
  };
  if (warp.forEachIteration(access.loops, access.guard, visit))
    notes[i].hasOpenLanes = true;
}

bool AccessRequests::add(Warp &warp, size_t i, unsigned trial,
                         const Iterations &iterations, uint32_t active,
                         RequestSums &sum, std::string &why) {
  const Access &access = kernel.accesses[i];
  Cost &cost = costs[i];
  const LaneValues &guard = warp.evaluate(access.guard, iterations);
  const LaneValues &address = warp.evaluate(access.address, iterations);
  if (address.unknown & active) {
    noteUnknown(address.why, active, cost, why);
    return false;
  }
  if (!sum.requests)
    if (const auto later =
            dataInNext(kernel, warp, access, iterations, active)) {
      noteUnknown(*later, active, cost, why);
      return false;
    }
  unsigned first = llvm::countr_zero(active);
  const LaneAddresses addresses = address.value.toArray();
  const Object *object = warp.objectAt(addresses[first]);
  if (isAssumed && !address.assumed) {
    const uint32_t inside =
        lanesInside(object, addresses, active, access.bytes);
    if (inside != active && llvm::popcount(inside) < fewLanes) {
      if (sum.requests)
        return true; // the block has fewer warps
      why = "no launch shows the block's shape, and lanes of one of " +
            shape.text() + " would leave '" + object->name + "'";
      return false;
    }
    active = inside;
    first = llvm::countr_zero(active);
  }
  if (!cost.active && trial == 0) {
    cost.addresses = addresses;
    cost.active = active;
    cost.object = object ? object->name : "";
    cost.space = access.space != Space::Unknown ? access.space
                 : object                       ? object->space
                                                : Space::Unknown;
  }
  if (!guard.isUniform())
    noteChosenLanes(guard, addresses, active, i);
  const RequestFigures &request = counters_[i].count(
      addresses, active, cost.space, access.bytes, trial, shifts[i]);
  sum.sectors += request.sectors;
  sum.fewest += request.fewest;
  sum.most += request.most;
  sum.isWholeGrid &= shifts[i].isWholeGrid;
  sum.ideal += request.ideal;
  sum.ways += std::min(request.ways, mostWays(i));
  sum.wavefronts += request.wavefronts;
  sum.lanes += llvm::popcount(active);
  ++sum.requests;
  return true;
}

void AccessRequests::noteUnknown(ValueId cause, uint32_t active, Cost &cost,
                                 std::string &why) {
  why = unknownReason(kernel, cause);
  cost.cause = cause;
  cost.lanes = llvm::popcount(active);
}

/// The words of an array in shared memory that lie in one bank: sizes that
/// are taken to be large may lead past its end.
unsigned AccessRequests::mostWays(size_t i) {
  if (mostWays_[i])
    return mostWays_[i];
  mostWays_[i] = warpSize;
  if (const auto id = onlyObject(kernel, kernel.accesses[i].address))
    if (const Object &object = kernel.objects[*id];
        object.space == Space::Shared && object.bytes)
      mostWays_[i] = llvm::divideCeil(object.bytes, banks * wordBytes);
  return mostWays_[i];
}

void AccessRequests::noteChosenLanes(const LaneValues &guard,
                                     const LaneAddresses &addresses,
                                     uint32_t active, size_t i) {
  Cost &cost = costs[i];
  const uint32_t sure = active & ~guard.unknown;
  if (!cost.chosenBy.empty() || sure == active)
    return;
  const unsigned bytes = kernel.accesses[i].bytes;
  const unsigned least =
      sure ? figureOf(cost.space, addresses, sure, bytes) : 1;
  if (least < figureOf(cost.space, addresses, active, bytes)) {
    cost.chosenBy = unknownReason(kernel, guard.why);
    notes[i].least = least;
  }
}

} // namespace warplint
