// What the requests of an access use of the caches, and of DRAM.
#include "cost/cache_sizes.h"
#include "cost/compile_time.h"
#include "cost/contention.h"
#include "cost/first_warps.h"
#include "cost/free_stride.h"
#include "cost/gather.h"
#include "cost/kernel_time.h"
#include "cost/local_arrays.h"
#include "cost/neighbours.h"
#include "cost/terms.h"
#include "model/cluster_memory.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>
#include <map>

namespace warplint {

namespace {

/// A store takes L2 the time of so many loaded sectors for each of its passes
/// (H100, all SMs: 82 cycles for 32 sectors of 8 lines, 130 of 32).
constexpr double storeSectors = 1.8;
/// Cycles in which L1 looks up the lines of a load (H200, kernels/wide_loads:
/// 4, 8, 16, 32 lines in 1.7, 2.8, 4.9, 9.0); one for each of what it lacks.
constexpr double cyclesOfLookup(double lines) { return 0.8 + lines / 4; }
/// What an update by a compare-and-swap loop in shared memory takes of L1, and
/// what it takes more for each other warp that updates the same word: its swap
/// fails then (H200: 3.0 cycles where each warp has its own word, 5.7, 8.9,
/// 12.6, 23 and 43 where 2, 4, 8, 16 and 32 warps share one;
/// kernels/swap_loops; 3.0 to 3.3 for 2 to 32 warps that update it once each,
/// and not in a loop).
constexpr double swapWavefronts = 3, failedSwapWavefronts = 1.3;
/// How much longer that of doubles takes (1.1 to 1.6 times).
constexpr double doubleSwaps = 1.5;
/// The same where data choose the words, some of which share a bank (H200, 64
/// floats: 31 cycles for a request, of which 3 lanes meet at one word; doubles
/// take twice that).
constexpr double swapWavefrontsByData = 10;
/// Constant memory serves one address in this many cycles (H100: 2.0 from 8
/// warps with 32 addresses on).
constexpr double constantCycles = 2;
/// Whom an address asks.
enum class Asked {
  Own,        ///< memory of the block, or of all
  Neighbours, ///< another block, for elements side by side
  Scattered   ///< another block, for what data choose
};

Asked askedBy(const ExpressionGraph &graph, ValueId address) {
  using Walk = ExpressionGraph::Walk;
  bool isOfOther = false, isChosenByData = false;
  graph.walk(address, [&](ValueId id) {
    const Op op = graph.node(id).op;
    if (op == Op::Varying && graph.text(id) == clusterMemory)
      isOfOther = true;
    else if (op == Op::Varying || op == Op::Loaded)
      isChosenByData = true;
    return op == Op::Loaded ? Walk::Past : Walk::Into;
  });
  return !isOfOther       ? Asked::Own
         : isChosenByData ? Asked::Scattered
                          : Asked::Neighbours;
}

/// The cycles that a request to another block's shared memory takes of an SM.
/// The network between SMs moves sectors, as L2 does (H200, all SMs, clusters
/// of 2, 4 and 8 blocks: for 4 bytes of each lane 8 to 11 cycles for a load, 8
/// for an update and 4 for a store of neighbours, and 60 to 75, 66 to 80 and 30
/// to 36 where each lane chooses its own).
double throughCluster(const Access &access, Asked asked, double lanes) {
  const double sectors =
      asked == Asked::Scattered
          ? lanes
          : std::max(1.0, lanes * bytesOf(access) / sectorBytes);
  return sectors * (access.operation == Operation::Store ? 1 : 2);
}

/// Of a request of which data choose the lanes, the part of its pieces of
/// memory of `size` bytes that `times` of them touch if `part` of the lanes
/// take part in each.
double partOfChosen(const Cost &cost, unsigned bytes, unsigned size,
                    double times, double part) {
  llvm::DenseMap<uint64_t, unsigned> lanes; // by piece
  forEachPiece(cost.addresses, cost.active, bytes, size,
               [&](unsigned, uint64_t piece) { ++lanes[piece]; });
  double touched = 0;
  for (const auto &[piece, count] : lanes)
    touched += 1 - std::pow(1 - part, double(count) * times);
  return touched / lanes.size();
}

/// The part of the sectors of a group that each of its loads, or of its stores,
/// moves.
double partOfGroup(const Kernel &kernel, const Waste &waste, double sectors) {
  if (waste.group.size() < 2 || !waste.sectors || !sectors)
    return 1;
  const Operation own = kernel.accesses[waste.group.front()].operation;
  const double alike = llvm::count_if(waste.group, [&](unsigned i) {
    return kernel.accesses[i].operation == own;
  });
  return std::min(1.0, waste.sectors / sectors / alike);
}

/// Neighbours that follow at once join their bytes to a store's sectors (H100,
/// stride 16: 20 cycles alone, 6 together); too many sectors or lines are
/// passed on before (H200, all bytes of 16 lanes' records of 16, 32, 64 and 256
/// bytes, in 2, 4, 8 and 16 lines: 8, 14, 45 and 57 cycles for a request; of 8
/// lanes 3, 5, 6 and, in 8 lines, 29).
bool joinsNeighbours(const Cost &store, unsigned bytes) {
  constexpr double heldTogether = 20;
  constexpr unsigned linesTogether = 6;
  return store.basis != Basis::Unknown && store.sectors <= heldTogether &&
         linesOf(store, bytes) <= linesTogether;
}

/// The instructions of the stores of a record: the compiler makes one of 8 or
/// 16 bytes of neighbours that the type aligns to it, as in a copy of a
/// structure of `alignas(16)`.
unsigned instructionsOf(const Kernel &kernel, const ShapeCosts &costs,
                        llvm::ArrayRef<unsigned> group) {
  constexpr unsigned widest = 16;
  constexpr size_t longest = 64; // a thousand stores each ask for all of them
  const Cost &first = costs.costs[group.front()];
  if (!first.active || group.size() > longest)
    return group.size();
  const unsigned lane = llvm::countr_zero(first.active);
  unsigned aligned = 0;
  std::map<uint64_t, unsigned> stores; // bytes, by address
  for (unsigned i : group)
    if (const Access &one = kernel.accesses[i];
        one.operation == Operation::Store) {
      stores[costs.costs[i].addresses[lane]] = bytesOf(one);
      aligned = std::max(aligned, std::min(widest, one.alignment));
    }
  unsigned instructions = 0;
  for (auto at = stores.begin(); at != stores.end(); ++instructions) {
    const auto begin = at;
    unsigned bytes = begin->second;
    // Halves first: 12 bytes are stored as 8 and 4.
    for (unsigned wider = 2 * bytes; wider <= aligned; wider *= 2) {
      auto end = begin;
      uint64_t next = begin->first;
      for (; end != stores.end() && end->first == next &&
             next < begin->first + wider;
           ++end)
        next += end->second;
      if (begin->first % wider || next != begin->first + wider)
        break;
      bytes = wider;
    }
    while (at != stores.end() && at->first < begin->first + bytes)
      ++at;
  }
  return std::max(1u, instructions);
}

/// The part of its sectors that each of a record's stores moves, where `joined`
/// is the part if all of them join. Of long records the first stores join
/// (H200, kernels/record_stores: of 8 words, 32 sectors, 2 stores move 37, 3
/// move 63, 4 move 97 and 8 move 210).
double partOfStores(const Kernel &kernel, const ShapeCosts &costs,
                    const Waste &together, unsigned i, double joined) {
  const Cost &store = costs.costs[i];
  const unsigned bytes = bytesOf(kernel.accesses[i]);
  constexpr double sectorsTogether = 64, linesTogether = 24;
  if (joinsNeighbours(store, bytes))
    return joined;
  if (store.basis == Basis::Unknown)
    return 1;
  const double all = store.sectors *
                     instructionsOf(kernel, costs, together.group),
               sectorsOfLine = store.sectors / linesOf(store, bytes),
               apart = std::max(all - sectorsTogether,
                                all - linesTogether * sectorsOfLine);
  return std::min({1.0,
                   joined + std::max(0.0, apart) * joined / together.sectors,
                   all * joined / together.sectors});
}

} // namespace

/// The most words that one bank of L1 gives to a load, in all halves or
/// quarters of the warp (H100, 32 rows of 128 bytes: 32 wavefronts for a float
/// of each, and 32 for a double). A row pitch that only the run knows may be a
/// multiple of 32 words, or no such number: half way between (H100, 32 rows: 33
/// cycles for a load at 1,024 words, 10 at 1,025).
double KernelTime::banksOf(unsigned i, Warp &odd) const {
  const Cost &cost = costs_.costs[i];
  const unsigned bytes = std::max(1u, kernel_.accesses[i].bytes);
  auto wavefronts = [&](const LaneAddresses &addresses) {
    return double(bankWavefronts(addresses, cost.active, bytes,
                                 /*joinsParts=*/false));
  };
  const double even = wavefronts(cost.addresses);
  if (even == 1 || costs_.shape.launches.size() > 1)
    return even;
  const LaneValues &address = odd.evaluate(kernel_.accesses[i].address, {});
  if (address.unknown & cost.active)
    return even;
  return (even + wavefronts(address.value.toArray())) / 2;
}

/// L1 looks up several lines at once if it has them, and is held up by lanes
/// that read different words of one bank.
double KernelTime::loadWavefronts(unsigned i, double lines, double own,
                                  Warp &odd) const {
  const Cost &cost = costs_.costs[i];
  const unsigned bytes = kernel_.accesses[i].bytes;
  const double held =
      std::max(std::min(lines, cyclesOfLookup(lines)), banksOf(i, odd));
  const double isNew = reuse_[i].sectors * own;
  return std::max(isNew * lines + (1 - isNew) * held,
                  dataWavefronts(cost.lanesOrAll(), bytes));
}

/// The part of a store's passes that is its own beside its neighbours.
double KernelTime::joinedPart(unsigned i) const {
  const Cost &cost = costs_.costs[i];
  return joinsNeighbours(cost, bytesOf(kernel_.accesses[i]))
             ? partOfGroup(kernel_, waste(kernel_, costs_, i), cost.sectors)
             : 1;
}

/// The conflict of a shared access. Sizes that only the run knows may make one
/// or not, as that of 'tile[x * pitch]' where `pitch` is even: half way
/// between, as for the banks of L1.
double KernelTime::waysOf(unsigned i) const {
  const Cost &cost = costs_.costs[i];
  if (cost.basis != Basis::Assumed || !cost.chosenBy.empty())
    return std::max(1.0, cost.ways);
  return std::max(1.0, (cost.ways + std::min(cost.ways, cost.lowWhole)) / 2);
}

/// Returns true if a thread updates the object of an atomic no more often than
/// twice: the warps do not keep in step.
bool KernelTime::isMadeOnce(unsigned i) const {
  constexpr double few = 2.5;
  const Access &access = kernel_.accesses[i];
  double times = llvm::count_if(kernel_.accesses, [&](const Access &other) {
    return other.operation == Operation::Atomic &&
           other.object == access.object;
  });
  for (LoopId loop : access.loops)
    times *= frequencies_.trips(loop).count;
  return times < few;
}

/// The wavefronts of the loop that an atomic of floats in shared memory is, for
/// all lanes of a request.
double KernelTime::swapLoopWavefronts(unsigned i,
                                      const Contention &seen) const {
  const unsigned bytes = bytesOf(kernel_.accesses[i]);
  const double lanes = seen.lanesAtOneAddress();
  if (!seen.known)
    return lanes * swapWavefrontsByData * bytes / wordBytes;
  const double warps =
      isMadeOnce(i) ? 1 : std::max(1.0, seen.perAddress / lanes);
  return lanes * (swapWavefronts + failedSwapWavefronts * (warps - 1)) *
         (bytes > wordBytes ? doubleSwaps : 1);
}

Demand KernelTime::ofSharedRequest(unsigned i) const {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  const bool isUnknown = cost.basis == Basis::Unknown;
  const unsigned bytes = bytesOf(access);
  Demand one;
  const Asked asked =
      isUnknown ? askedBy(kernel_.graph, access.address) : Asked::Own;
  if (asked != Asked::Own) {
    one.wavefronts = throughCluster(access, asked, cost.lanesOrAll());
    return one;
  }
  if (access.operation == Operation::Atomic) {
    const Contention &seen = contentionOf(kernel_, costs_, i);
    one.wavefronts = access.isNativeAtomic ? seen.lanesAtOneAddress()
                                           : swapLoopWavefronts(i, seen);
    return one;
  }
  if (isUnknown) {
    one.wavefronts = 2 * dataWavefronts(cost.lanesOrAll(), bytes);
    return one;
  }
  // Of the first request; `waysOf` is the average of all.
  const unsigned joined = std::max(bytes, joinedBytes_[i]);
  const LaneAddresses addresses =
      joined > bytes ? alignedTo(cost.addresses, joined) : cost.addresses;
  const unsigned wavefronts =
      bankWavefronts(addresses, cost.active, joined,
                     access.operation == Operation::Load);
  one.wavefronts =
      waysOf(i) * std::max(1u, wavefronts) /
      std::max(1u, conflictWays(addresses, cost.active, joined)) * bytes /
      joined;
  return one;
}

Demand KernelTime::ofLocalRequest(unsigned i, Warp &warp) const {
  const Access &access = kernel_.accesses[i];
  Demand one;
  if (access.array && isInRegisters_[*access.array])
    return one;
  const uint32_t active = costs_.costs[i].active;
  const uint64_t array = access.array ? kernel_.arrays[*access.array].bytes : 0;
  const LocalRequest request =
      localRequest(warp.evaluate(access.address, {}),
                   active ? active : warp.lanes(), bytesOf(access), array);
  one.wavefronts = request.lines;
  // A variable whose address a function takes is small enough for L1. What the
  // threads of an SM use has its place there until L1 is full (H200, indexes of
  // data: loads from 139 and 278 KB of 'double[17]' take 16 and 20 cycles, from
  // 205 KB and 1.6 MB of 'int[200]' 48 and 163); L1 writes through.
  const double frames = !access.array ? 0
                        : array       ? array * warps().threadsAtOnce()
                                      : HUGE_VAL;
  const bool isStored = access.operation != Operation::Load;
  one.sectors =
      request.sectors * (isStored ? 1 : missedPart(frames, cachedInL1));
  // A store to an unknown index takes L2 what a global one does, where the
  // compiler joins known neighbours (H100: 8 cycles for one index in all lanes,
  // 80 for eight indexes).
  if (isStored && whyNotKnown(kernel_, access.address)) {
    one.wavefronts = storePasses(request.lines, request.sectors);
    one.storing =
        std::max(0.0, storeSectors * one.wavefronts - request.sectors);
  }
  one.dramSectors =
      one.sectors * missedPart(frames * warps().smsUsed(), cachedInL2);
  return one;
}

Demand KernelTime::ofGlobalRequest(unsigned i, FirstWarps &first) const {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  const bool isUnknown = cost.basis == Basis::Unknown;
  const bool isLoad = access.operation == Operation::Load;
  const double lanes = cost.lanesOrAll();
  const unsigned bytes = bytesOf(access);
  const double sectors = !isUnknown ? cost.sectors
                         : cost.cause && !reuse_[i].isClose
                             ? lanes // data lead anywhere
                             : lanes * bytes / sectorBytes;
  double lines = isUnknown ? sectors : linesOf(cost, bytes);
  if (access.operation == Operation::Atomic)
    return ofAtomicRequest(i, lines, sectors, first);
  if (cost.isGather() && !reuse_[i].isClose && isLoad)
    lines = reuse_[i].wavefronts.value_or(
        gatherCost({}, {.lanes = lanes}).wavefronts);
  // L1 has the sectors that a neighbour loads; L2 joins its stores.
  const Waste group = waste(kernel_, costs_, i);
  const double ofGroup = partOfGroup(kernel_, group, sectors);
  Demand one;
  one.sectors = sectors;
  if (isLoad) {
    const double own = std::min(ofGroup, reuse_[i].own.inL1);
    one.wavefronts = isUnknown ? std::max(lines, dataWavefronts(lanes, bytes))
                               : loadWavefronts(i, lines, own, first.odd);
    one.sectors *= own;
  } else {
    const double part = isApart_[i] || ofGroup == 1
                            ? 1
                            : partOfStores(kernel_, costs_, group, i, ofGroup);
    one.wavefronts = std::max(1.0, storePasses(lines, sectors) * part);
    one.sectors *= part;
    one.storing = std::max(
        0.0, storeSectors * storePasses(lines, sectors) * part - one.sectors);
  }
  const RequestReuse known =
      isUnknown && !cost.isGather() ? RequestReuse() : reuse_[i];
  one.dramSectors =
      isUnknown ? 2 * sectors
                : dramSectorsTouched(cost.addresses, cost.active, bytes);
  one.dramSectors *= isLoad ? std::min(ofGroup, reuse_[i].own.inL2) : ofGroup;
  const bool isPartial = group.group.size() > 1
                             ? group.sectors > 1.5 * group.idealSectors
                             : sectors > 1.5 * cost.idealSectors;
  // L2 first reads what a store leaves of a sector, unless a load did.
  if (!isLoad && isPartial && !known.isFilled &&
      llvm::none_of(group.group, [&](unsigned other) {
        return kernel_.accesses[other].operation == Operation::Load;
      }))
    one.dramSectors *= 2;
  one.sectors *= known.sectors;
  one.dramSectors *= known.dramSectors;
  return one;
}

/// The compiler loads two words at once (LDC.64; CUDA 13.0 for sm_90) where
/// they are neighbours in the source or in a loop that it unrolls, in the time
/// of one (H200: 1.78 cycles for each address, of 4 bytes and of 8).
double KernelTime::partOfConstants(unsigned i) const {
  constexpr double ofPair = 0.5;
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  if (access.space != Space::Constant || access.bytes != wordBytes ||
      cost.basis == Basis::Unknown || addressesOf(i) < 2)
    return 1;
  if (!areAtOnePlace(cost.addresses, cost.active, 2 * wordBytes))
    return 1;
  if (!access.loops.empty() && isUnrolled(kernel_, access.loops.back()) &&
      frequencies_.trips(access.loops.back()).count >= 2 &&
      bytesOfStep(kernel_.graph, access.address, access.loops.back()) ==
          int64_t(wordBytes))
    return ofPair;
  ConstantWords neighbour = constantWords(access, cost);
  for (uint64_t &address : neighbour.addresses)
    address ^= wordBytes;
  return constantWords_.contains(neighbour) ? ofPair : 1;
}

/// Of the lanes that load nothing no address counts.
KernelTime::ConstantWords KernelTime::constantWords(const Access &access,
                                                    const Cost &cost) {
  ConstantWords words{access.region, cost.active, cost.addresses};
  const uint64_t any =
      cost.active ? cost.addresses[llvm::countr_zero(cost.active)] : 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (!(cost.active >> lane & 1))
      words.addresses[lane] = any;
  return words;
}

Demand KernelTime::ofConstantRequest(unsigned i) const {
  Demand one;
  one.wavefronts =
      (addressesOf(i) - (costs_.costs[i].basis != Basis::Unknown)) *
          constantCycles * partOfConstants(i) +
      cyclesOfWalks_[i];
  return one;
}

Demand KernelTime::ofRequest(unsigned i, FirstWarps &first) const {
  Demand one;
  switch (costs_.costs[i].space) {
  case Space::Shared:
    return ofSharedRequest(i);
  case Space::Constant:
  case Space::Parameter:
    return ofConstantRequest(i);
  case Space::Local:
    return ofLocalRequest(i, first.first);
  case Space::Texture:
    one.wavefronts = 2;
    one.sectors = one.dramSectors = 4;
    return one;
  case Space::Global:
  case Space::Unknown:
    return ofGlobalRequest(i, first);
  }
  return one;
}

double KernelTime::partOfLanes(const Access &access) const {
  return frequencies_.partOfLanes(loopsThatRepeat(access), access.guard);
}

double KernelTime::partOfChosen(unsigned i, unsigned size) const {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  // What all arms access is accessed by all lanes.
  if (cost.chosenBy.empty() || !cost.active || partsOfArms_[i] < 1)
    return 1;
  const llvm::ArrayRef<LoopId> loops = loopsThatRepeat(access);
  const double part = partOfLanes(access);
  // What a lane does once, it does in all iterations of a loop inside.
  const bool isChosenAgain =
      part == 1 || loops.empty() ||
      frequencies_.partOfLanes(loops.take_back(), access.guard) < 1;
  // Iterations that stay in a piece.
  double times = 1;
  if (size && !loops.empty() && isChosenAgain)
    if (const auto step =
            bytesOfStep(kernel_.graph, access.address, loops.back()))
      times = std::clamp(size / std::max(1.0, std::abs(double(*step))), 1.0,
                         std::max(1.0, frequencies_.trips(loops.back()).count));
  constexpr double asOftenAsNot = 0.5;
  return warplint::partOfChosen(cost, bytesOf(access),
                                size ? size : sectorBytes, times,
                                part < 1 ? part : asOftenAsNot);
}

void KernelTime::addAccess(unsigned i, FirstWarps &first,
                           SpareStrides &spare) {
  const Access &access = kernel_.accesses[i];
  if (access.need == Need::Never || costs_.costs[i].isKeptOut)
    return;
  Demand one = ofRequest(i, first);
  const RequestReuse &reuse = reuse_[i];
  const Cost &cost = costs_.costs[i];
  if (reuse.isReachUnknown && !reuse.isRow && !reuse.isClose)
    one.unsureSectors = one.dramSectors;
  // A share is half way between.
  else if (cost.basis == Basis::Assumed && cost.excess() > 1 &&
           mayBeGlobal(cost.space) && spare.has(access))
    one.unsureSectors = one.dramSectors * (1 - 1 / cost.excess());
  if (mayBeGlobal(cost.space)) {
    one.wavefronts = std::max(std::min(1.0, one.wavefronts),
                              one.wavefronts * partOfChosen(i, 0));
    const double ofSectors = partOfChosen(i, sectorBytes),
                 ofDram = partOfChosen(i, dramBytes);
    one.sectors *= ofSectors;
    one.storing *= ofSectors;
    one.dramSectors *= ofDram;
    one.unsureSectors *= ofDram;
  }
  const double requests = requestsOf(i), held = partsHeld_[i];
  accesses_[i] = one * (requests * held);
  // The caches had for other iterations what registers hold for them.
  if (held < 1) {
    const double most = costs_.costs[i].sectors * held;
    accesses_[i].sectors = std::min(one.sectors, most) * requests;
    accesses_[i].dramSectors = std::min(one.dramSectors, most) * requests;
  }
  total_ += accesses_[i];
}

} // namespace warplint
