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
/// An iteration of a compare-and-swap loop goes to shared memory and back twice
/// (H200: 85 to 97 cycles from one update of a word to the next where an SM has
/// nothing else to do, kernels/swap_loops).
static constexpr double swapLatency = 88;
/// How often each lane's swap is tried where the warps of a block update a word
/// once, and not in a loop: their tries pass each other (H200, one word: 64 to
/// 1024 threads end after 6,100 to 6,800 cycles).
static constexpr double triesOfOnce = 2.2;

/// The next iteration may load what a loop stores to a local array.
bool KernelTime::isArrayStoredIn(const Access &load, LoopId loop) const {
  return load.array && arraysStored_.count({*load.array, loop});
}

/// Returns true if the data of the iteration before decide where a load leads,
/// as along a list or in a search: it cannot be made ahead (H200: a step in 4
/// MB takes 374 cycles, kernels/update_rates).
bool KernelTime::followsData(const Access &load, LoopId loop) const {
  const ExpressionGraph &graph = kernel_.graph;
  // Where a counter begins is no data of the iteration before.
  auto isOfData = [&](ValueId carried) {
    return !graph.walk(graph.operand(carried, 1), [&](ValueId id) {
      return graph.node(id).op == Op::Loaded ? ExpressionGraph::Walk::Stop
             : id == carried                 ? ExpressionGraph::Walk::Past
                                             : ExpressionGraph::Walk::Into;
    });
  };
  return !graph.walk(load.address, [&](ValueId id) {
    const Node &node = graph.node(id);
    return node.op == Op::Carried && node.number == loop &&
                   isOfData(id)
               ? ExpressionGraph::Walk::Stop
               : ExpressionGraph::Walk::Into;
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

/// Cycles from the request to its data, on average of `together` iterations
/// whose loads are under way at the same time; 0 if no thread waits for it.
double KernelTime::latencyOf(unsigned i, double together) const {
  const Access &access = kernel_.accesses[i];
  if (access.need == Need::Never ||
      (access.array && isInRegisters_[*access.array]))
    return 0;
  if (isSwapLoop(i)) {
    const Contention &seen = contentionOf(kernel_, costs_, i);
    if (seen.known && isMadeOnce(i))
      return swapLatency *
             std::max(1.0, std::min(triesOfOnce * seen.lanesAtOneAddress(),
                                    double(seen.perAddress)));
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
  return (mayBeGlobal(cost.space) ? cachedLatency + missLatencyOf(i, together)
                                  : sharedLatency) *
         partsHeld_[i];
}

/// The part of a global load's latency for which L1 does not have the data.
/// Iterations that are under way together wait if one of them begins a sector
/// (H200: a load of a float for all lanes that each iteration adds up takes 92
/// cycles where each of them waits, and 26 where 16 wait together,
/// kernels/update_rates). Those of an outer loop begin one each, at most (H200:
/// rows of three floats, one for all lanes, take 94 cycles each where four of
/// them wait together: all of L2's latency).
double KernelTime::missLatencyOf(unsigned i, double together) const {
  const RequestReuse &reuse = reuse_[i];
  const llvm::ArrayRef<LoopId> loops = loopsThatRepeat(kernel_.accesses[i]);
  const double inner =
      loops.empty()
          ? together
          : std::min(together, frequencies_.trips(loops.back()).count);
  auto inBatch = [&](double misses, double begins) {
    const double ofInner =
        begins ? misses * std::min(1.0, begins * inner) / begins : 0;
    return std::min(1.0, ofInner * together / inner);
  };
  const double misses = inBatch(reuse.misses, reuse.begins);
  return (l2Latency - cachedLatency) * misses +
         (dramLatency - l2Latency) *
             std::min(misses, inBatch(reuse.dramMisses, reuse.dramBegins));
}

/// All warps of all blocks load the same, so the next warp has nothing to do
/// either. L1 holds what is short enough for the blocks that follow.
bool KernelTime::isAwaitedTogether(unsigned i) const {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  if (access.operation != Operation::Load || access.loops.empty() ||
      !mayBeGlobal(cost.space) || cost.basis == Basis::Unknown || cost.high > 1)
    return false;
  const Trips trips = frequencies_.trips(access.loops.back());
  return (trips.isAssumed || trips.count * access.bytes > cachedInL1) &&
         sameAddressForAll(kernel_, costs_.shape.shape, access);
}

/// What is waited for `times` times, each time for `together` of a load's
/// requests.
Demand KernelTime::waitOf(unsigned i, double times, double together) const {
  Demand wait;
  wait.latency = latencyOf(i, together) * times;
  if (!isAwaitedTogether(i))
    return wait;
  wait.together = missLatencyOf(i, together) * times;
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
  auto [known, isNew] = togetherIn_.try_emplace(loop);
  if (isNew)
    known->second = warplint::togetherIn(kernel_, frequencies_, loop);
  return known->second;
}

double KernelTime::partOfWaits(unsigned i, double now, double then) const {
  const double waits = latencyOf(i, now) / now;
  return waits ? latencyOf(i, then) / then / waits : 1;
}

bool KernelTime::isOneByOne(unsigned i, LoopId loop) const {
  const Access &access = kernel_.accesses[i];
  return isArrayStoredIn(access, loop) || followsData(access, loop);
}

/// Executions of an access that are under way together. Loops around each other
/// whose numbers of iterations the compiler knows are one run of loads.
double KernelTime::togetherOf(unsigned i,
                              llvm::function_ref<bool(LoopId)> isAhead) const {
  const Access &access = kernel_.accesses[i];
  double together = 1;
  if (isSwapLoop(i))
    return together;
  // The long runs were seen of global loads alone.
  const double most =
      mayBeGlobal(costs_.costs[i].space) ? loadsAheadIfKnown : loadsAhead;
  for (LoopId loop : llvm::reverse(loopsThatRepeat(access))) {
    if (!isAhead(loop) || isOneByOne(i, loop))
      break;
    const bool isKnown = kernel_.loops[loop].tripCount.has_value();
    if (together > 1 && !isKnown)
      break;
    together *= togetherIn(loop);
    if (!isKnown || together >= most ||
        togetherIn(loop) < frequencies_.trips(loop).count)
      break;
  }
  return std::max(1.0, std::min(together, most));
}

/// By access, the executions that are under way together, as if `gone` were in
/// no loop.
std::vector<double>
KernelTime::togetherWithout(llvm::ArrayRef<unsigned> gone) const {
  llvm::SmallDenseMap<LoopId, bool> ahead;
  auto isAhead = [&](LoopId loop) {
    auto [known, isNew] = ahead.try_emplace(loop);
    if (isNew)
      known->second = isLoadedAhead(kernel_, costs_, loop, gone);
    return known->second;
  };
  std::vector<double> together;
  for (unsigned i = 0; i < accesses_.size(); ++i)
    together.push_back(togetherOf(i, isAhead));
  return together;
}

/// Each nest of loops waits for its slowest loads; those of one iteration are
/// under way together, but for a load that needs another one's data. Returns
/// the wait for each access; none for those that are `gone`.
std::vector<Demand>
KernelTime::waitsWithout(llvm::ArrayRef<unsigned> gone) const {
  const std::vector<double> together = togetherWithout(gone);
  std::vector<double> latency(accesses_.size());
  for (unsigned i = 0; i < accesses_.size(); ++i)
    latency[i] = latencyOf(i, together[i]);
  for (unsigned i : gone)
    latency[i] = 0;
  // The slowest load that each one waits for, and the cycles of the chain that
  // ends with it.
  std::vector<std::optional<unsigned>> last(accesses_.size());
  std::vector<std::optional<double>> cycles(accesses_.size());
  auto chain = [&](unsigned i, auto &&self) -> double {
    if (cycles[i])
      return *cycles[i];
    double most = 0;
    for (unsigned load : loadsBefore_[i])
      if (const double waited = self(load, self); waited > most) {
        most = waited;
        last[i] = load;
      }
    return *(cycles[i] = most + latency[i]);
  };
  struct Wait {
    double cycles = 0, times = 0;
    unsigned end = 0;
  };
  std::map<std::vector<LoopId>, Wait> slowest;
  for (unsigned i = 0; i < accesses_.size(); ++i) {
    if (latency[i] == 0)
      continue;
    const Access &access = kernel_.accesses[i];
    const std::vector<LoopId> loops = loopsThatRepeat(access).vec();
    const double times =
        longestOf(frequencies_.of(loops, access.guard)) / together[i];
    const double waited = chain(i, chain) * times;
    if (Wait &most = slowest[loops]; waited > most.cycles)
      most = {waited, times, i};
  }
  std::vector<Demand> waits(accesses_.size());
  for (const auto &[loops, wait] : slowest)
    for (std::optional<unsigned> i = wait.end; i && wait.times; i = last[*i])
      if (latency[*i] > 0)
        waits[*i] += waitOf(*i, wait.times, together[*i]);
  return waits;
}

void KernelTime::addLatency() {
  loadsBefore_ = loadsBefore(kernel_);
  const auto stores = storesBefore(kernel_);
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (stores[i])
      reuse_[i].misses *= missesBehindGroup(kernel_, costs_, i);
  for (const Access &access : kernel_.accesses)
    if (access.array && access.operation != Operation::Load)
      for (LoopId loop : access.loops)
        arraysStored_.insert({*access.array, loop});
  const std::vector<Demand> waits = waitsWithout({});
  for (unsigned i = 0; i < accesses_.size(); ++i) {
    accesses_[i] += waits[i];
    total_ += waits[i];
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
