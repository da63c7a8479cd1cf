// What a warp waits for: the latency of a kernel's demand.
#include "cost/cache_sizes.h"
#include "cost/contention.h"
#include "cost/kernel_time.h"
#include "cost/load_ahead.h"
#include "cost/load_chains.h"
#include "cost/neighbours.h"
#include "cost/same_address.h"
#include "model/may_be_global.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

/// Cycles from a request to its data in L2 and in DRAM (H100: 300; 600 to 700),
/// and the usual order of magnitude of others.
static constexpr double l2Latency = 300, dramLatency = 600, sharedLatency = 30,
                        atomicLatency = 700, barrierLatency = 30;
/// An iteration of a compare-and-swap loop goes to shared memory and back
/// twice.
static constexpr double swapLatency = 2 * sharedLatency;

/// The next iteration may load what a loop stores to a local array.
bool KernelTime::isArrayStoredIn(const Access &load, LoopId loop) const {
  return load.array &&
         llvm::any_of(kernel_.accesses, [&](const Access &access) {
           return access.array == load.array &&
                  access.operation != Operation::Load &&
                  llvm::is_contained(access.loops, loop);
         });
}

/// An atomic of floats in shared memory is a loop that ends when the word has
/// not changed between its load and its swap: one thread after the other.
bool KernelTime::isSwapLoop(unsigned i) const {
  const Access &access = kernel_.accesses[i];
  return access.operation == Operation::Atomic && !access.isNativeAtomic &&
         costs_.costs[i].space == Space::Shared;
}

/// A warp alone waits for 38 cycles for one address, and for 379 for 32 (H200).
double KernelTime::constantLatency(double addresses) {
  return 38 + 11 * (addresses - 1);
}

/// Cycles from the request to its data; 0 if no thread waits for it.
double KernelTime::latencyOf(unsigned i) const {
  const Access &access = kernel_.accesses[i];
  if (access.need == Need::Never ||
      (access.array && isInRegisters_[*access.array]))
    return 0;
  if (isSwapLoop(i)) {
    const Contention seen = contention(kernel_, costs_.shape, access);
    return swapLatency * std::max(1.0, seen.known ? seen.perAddress
                                                  : seen.lanesAtOneAddress());
  }
  if (access.operation == Operation::Atomic)
    return access.resultUsed ? atomicLatency : 0;
  if (access.operation != Operation::Load)
    return 0;
  const Cost &cost = costs_.costs[i];
  if (isConstantBank(cost.space) && addressesOf(i) > 1)
    return constantLatency(addressesOf(i));
  return mayBeGlobal(cost.space) ? cachedLatency + missLatencyOf(i)
                                 : sharedLatency;
}

/// The part of a global load's latency for which L1 does not have the data.
double KernelTime::missLatencyOf(unsigned i) const {
  return (l2Latency - cachedLatency) * reuse_[i].misses +
         (dramLatency - l2Latency) *
             std::min(reuse_[i].misses, reuse_[i].dramMisses);
}

/// All warps of all blocks load the same, so the next warp has nothing to do
/// either. L1 holds what is short enough for the blocks that follow.
bool KernelTime::isAwaitedTogether(unsigned i) const {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  if (access.operation != Operation::Load || access.loops.empty() ||
      !mayBeGlobal(cost.space) || cost.basis == Basis::Unknown ||
      cost.high > 1 || !sameAddressForAll(kernel_, costs_.shape.shape, access))
    return false;
  const Trips trips = frequencies_.trips(access.loops.back());
  return trips.isAssumed || trips.count * access.bytes > cachedInL1;
}

/// What is waited for in `times` of a load's requests.
Demand KernelTime::waitOf(unsigned i, double times) const {
  Demand wait;
  wait.latency = latencyOf(i) * times;
  if (!isAwaitedTogether(i))
    return wait;
  wait.together = missLatencyOf(i) * times;
  wait.latency -= wait.together;
  return wait;
}

/// The part of a load's misses that is left once its neighbours before it are
/// there: a load behind a store waits for them, and finds their sectors in L1.
static double missesBehindGroup(const Kernel &kernel, const ShapeCosts &costs,
                                unsigned load) {
  const Cost &cost = costs.costs[load];
  if (cost.basis == Basis::Unknown || !cost.sectors)
    return 1;
  const Waste group = waste(kernel, costs, load);
  if (group.group.size() < 2 || *llvm::min_element(group.group) == load)
    return 1;
  return std::min(1.0, group.sectors / cost.sectors / group.group.size());
}

double KernelTime::togetherIn(LoopId loop) const {
  return warplint::togetherIn(kernel_, frequencies_, loop);
}

/// Each nest of loops waits for its slowest loads; those of one iteration are
/// under way together, but for a load that needs another one's data.
void KernelTime::addLatency() {
  const std::vector<std::vector<unsigned>> before = loadsBefore(kernel_);
  const auto stores = storesBefore(kernel_);
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (stores[i])
      reuse_[i].misses *= missesBehindGroup(kernel_, costs_, i);
  // The slowest load that each one waits for, and the cycles of the chain that
  // ends with it.
  std::vector<std::optional<unsigned>> last(accesses_.size());
  std::vector<std::optional<double>> cycles(accesses_.size());
  auto chain = [&](unsigned i, auto &&self) -> double {
    if (cycles[i])
      return *cycles[i];
    double most = 0;
    for (unsigned load : before[i])
      if (const double waited = self(load, self); waited > most) {
        most = waited;
        last[i] = load;
      }
    return *(cycles[i] = most + latencyOf(i));
  };
  struct Wait {
    double cycles = 0, times = 0;
    unsigned end = 0;
  };
  llvm::SmallDenseMap<LoopId, bool> ahead;
  auto isAhead = [&](LoopId loop) {
    auto [known, isNew] = ahead.try_emplace(loop);
    if (isNew)
      known->second = isLoadedAhead(kernel_, costs_, loop);
    return known->second;
  };
  std::map<std::vector<LoopId>, Wait> slowest;
  for (unsigned i = 0; i < accesses_.size(); ++i) {
    const Access &access = kernel_.accesses[i];
    if (latencyOf(i) == 0)
      continue;
    const std::vector<LoopId> loops = loopsThatRepeat(access).vec();
    const bool overlaps = !loops.empty() && !isSwapLoop(i) &&
                          isAhead(loops.back()) &&
                          !isArrayStoredIn(access, loops.back());
    const double times = longestOf(frequencies_.of(loops, access.guard)) /
                         (overlaps ? togetherIn(loops.back()) : 1);
    const double waited = chain(i, chain) * times;
    if (Wait &most = slowest[loops]; waited > most.cycles)
      most = {waited, times, i};
  }
  for (const auto &[loops, wait] : slowest)
    for (std::optional<unsigned> i = wait.end; i && wait.times; i = last[*i]) {
      const Demand one = waitOf(*i, wait.times);
      accesses_[*i] += one;
      total_ += one;
    }
  for (const Barrier &barrier : kernel_.barriers)
    total_ += ofBarrier(barrier);
}

Demand KernelTime::ofBarrier(const Barrier &barrier) const {
  Demand wait;
  wait.latency =
      barrierLatency * longestOf(frequencies_.of(barrier.loops, barrier.guard));
  return wait;
}

} // namespace warplint
