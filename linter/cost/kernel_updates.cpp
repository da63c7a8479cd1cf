// What atomics take, of which many wait for each other.
#include "cost/contention.h"
#include "cost/kernel_time.h"
#include "cost/meeting.h"
#include "cost/same_address.h"
#include "cost/sampled_grid.h"
#include "cost/updated_at_once.h"
#include <cmath>

namespace warplint {

namespace {

/// A scattered update takes L2 this many sectors' time.
constexpr double atomicSectors = 3;
/// Nanoseconds from one update of an address to the next where a warp updates
/// it once for all of its lanes, and for integers that each lane updates: sums,
/// exchanges, compare-and-swap (H200: 0.78 to 0.89, and 0.737).
constexpr double joinedNanoseconds = 0.83, integerNanoseconds = 0.737;
/// Updates are under way of so many times the blocks that an SM is taken to
/// hold at once: a block ends without waiting for its own (H200,
/// kernels/row_updates).
constexpr double underWay = 2;
/// How often an update under a condition on data is taken to be made where
/// nothing says that it is no rare one, as a match or a result to keep is:
/// between always and once in a thousand times. Taken for certain, it would
/// hide all else that the kernel does.
constexpr double rarely = 1.0 / 32;

} // namespace

/// How the lanes of a request meet in the memory that is updated at the same
/// time; none if nothing is known of it.
std::optional<Updates> KernelTime::updatesOf(unsigned i, const Contention &seen,
                                             FirstWarps &first) const {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  const double ofBlock =
      shapeThreads() * seen.share / std::max(1.0, seen.perAddress);
  // Iterations that lead to other addresses: 'for (; b < bins; b += 256)'.
  double places = 1;
  for (LoopId loop : access.loops)
    if (!sameAddressNextIteration(kernel_, costs_.shape.shape, access, loop)
             .value_or(true))
      places *= frequencies_.trips(loop).count;
  const bool ofAllBlocks = seen.known && seen.sameInAllBlocks;
  const double addresses = ofAllBlocks ? places * std::max(1.0, ofBlock)
                           : seen.mostAddresses ? double(*seen.mostAddresses)
                                                : 0;
  if (!addresses && !seen.known)
    return std::nullopt;
  Updates updates = updatesAtRandom(cost.lanesOrAll(), std::max(1.0, addresses),
                                    bytesOf(access));
  if (!seen.known)
    return updates;
  updates.sectors = cost.basis == Basis::Unknown ? std::max(1.0, seen.addresses)
                                                 : std::max(1.0, cost.sectors);
  updates.passes =
      access.isCombined
          ? 1
          : std::max(1.0, seen.lanesPerAddress() * partOfLanes(access));
  if (addresses) {
    // Counters of which each has a sector of its own are no neighbours.
    const double ofSector = std::max(1.0, seen.addresses / updates.sectors);
    if (seen.addresses > 1)
      updates.memory = addresses / ofSector * sectorBytes;
    return updates;
  }
  const auto atOnce = updatedAtOnce(
      first, gridOf(costs_.shape.launches, 0), access, cost,
      underWay * warps().threadsAtOnce() * warps().smsUsed() / shapeThreads(),
      std::ceil(ofBlock / std::max(1.0, seen.addresses)));
  if (!atOnce)
    return std::nullopt;
  // Iterations do not wait for the updates of those before.
  updates.memory = places * atOnce->sectors * sectorBytes;
  updates.slices = places * atOnce->slices;
  return updates;
}

/// Updates of few addresses wait for each other.
double KernelTime::serialNanoseconds(unsigned i, const Contention &seen,
                                     FirstWarps &first) const {
  const Access &access = kernel_.accesses[i];
  const auto updates = updatesOf(i, seen, first);
  if (!updates)
    return 0;
  const double again = access.isCombined       ? joinedNanoseconds
                       : access.isNativeAtomic ? integerNanoseconds
                                               : sameAddressNanoseconds;
  return warps().all() * (isPerhapsRare(access, seen) ? rarely : 1) *
         nanosecondsOf(*updates, again);
}

Demand KernelTime::ofAtomicRequest(unsigned i, double lines, double sectors,
                                   FirstWarps &first) const {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  const Contention &seen = contentionOf(kernel_, costs_, i);
  Demand one;
  one.wavefronts =
      std::max(lines, dataWavefronts(cost.lanesOrAll(), bytesOf(access)));
  // L2 updates the words of a sector together, and one word again and again.
  one.sectors =
      atomicSectors * std::max(1.0, sectors) *
      (seen.known && !access.isCombined
           ? std::max(1.0, seen.lanesPerAddress() * partOfLanes(access))
           : 1);
  one.serialNanoseconds = serialNanoseconds(i, seen, first);
  if (cost.basis != Basis::Unknown && !(seen.known && seen.sameInAllBlocks))
    one.dramSectors =
        2 * dramSectorsTouched(cost.addresses, cost.active, bytesOf(access));
  else if (cost.isGather()) // reads and writes what data lead to
    one.dramSectors =
        2 * sectors * dramBytes / sectorBytes * reuse_[i].dramSectors;
  return one;
}

} // namespace warplint
