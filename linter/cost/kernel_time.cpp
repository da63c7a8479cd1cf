#include "cost/kernel_time.h"
#include "cost/bookkeeping.h"
#include "cost/cache_sizes.h"
#include "cost/compile_time.h"
#include "cost/contention.h"
#include "cost/divisions.h"
#include "cost/load_ahead.h"
#include "cost/load_chains.h"
#include "cost/loaded_again.h"
#include "cost/loaded_index.h"
#include "cost/local_arrays.h"
#include "cost/lost_lines.h"
#include "cost/meeting.h"
#include "cost/neighbours.h"
#include "cost/outer_reuse.h"
#include "cost/reached.h"
#include "cost/repeated_operations.h"
#include "cost/same_address.h"
#include "cost/span.h"
#include "model/may_be_global.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <map>

namespace warplint {

namespace {

constexpr unsigned dramBytes = 64;

/// Cycles from an instruction to the next one that needs its result, halved:
/// about two of them are independent.
constexpr double instructionLatency = 2.5;
/// A scattered update takes L2 this many sectors' time.
constexpr double atomicSectors = 3;
/// A store takes L2 the time of so many loaded sectors for each of its passes
/// (H100, all SMs: 82 cycles for 32 sectors of 8 lines, 130 of 32).
constexpr double storeSectors = 1.8;
/// Lines that L1 looks up in a cycle for a load (H100: 32 of them in 8 to 13
/// cycles); one of what it does not have.
constexpr double linesAtOnce = 3;
/// What one SM can move in a cycle, in sectors, if the others leave it all of
/// L2 or of DRAM (H100: 8 of 132 SMs).
constexpr double sectorsOfOneSm = 3.4, dramSectorsOfOneSm = 1.5;
/// What an iteration of a compare-and-swap loop in shared memory takes of L1
/// (H200: 13 cycles for each update where 8 blocks of an SM add to a word each,
/// kernels/contended-atomic).
constexpr double swapWavefronts = 13;
/// Updates of so many sectors of L2 overlap fully.
constexpr double sectorsUpdatedAtOnce = 1.7;
/// Nanoseconds from one update of an address to the next where a warp updates
/// it once for all of its lanes, and for integers that each lane updates: sums,
/// exchanges, compare-and-swap (H200: 0.78 to 0.89, and 0.737).
constexpr double joinedNanoseconds = 0.83, integerNanoseconds = 0.737;
/// Constant memory serves one address in this many cycles (H100: 2.0 from 8
/// warps with 32 addresses on).
constexpr double constantCycles = 2;
/// Addresses of a request that data choose: 32 random bytes have 30 values,
/// those of a text or an image fewer.
constexpr double addressesByData = 16;
/// From the end of one block to the first instruction of the next in its place
/// (H200: empty blocks of 1024 threads). The warps that begin together have
/// nothing to do meanwhile: kernels of 32 to 384 multiply-adds for each element
/// take 620 cycles more for each filling of the SMs with data from L2.
constexpr double startLatency = 470;
/// What a launch takes beside the start of its first blocks: an empty kernel
/// takes 0.83 us (H100, as CUPTI measures).
constexpr double launchNanoseconds = 560;
/// The resources of an SM overlap nearly perfectly once many warps run (H200: a
/// loop that takes 32 cycles of shared memory and 37 issue slots takes 38
/// cycles, one of 16 and 21 takes 21).
constexpr double smOverlap = 10;
/// The warps of a loop that wait for L2 or DRAM calculate at the same times as
/// each other (H200, 64 warps: 4 loads from L2 that take 200 us beside
/// instructions that take 182, 357, 590, 824 us take 269, 444, 651, 861; from
/// DRAM 390 us beside 357, 590, 1057 take 480, 667, 1106). Where each thread
/// has few elements, some blocks begin while others end: a division for each
/// element, a quarter of the time of DRAM, adds 0.4 %.
constexpr double l2Overlap = 2, dramOverlap = 3;
/// Iterations from which on the warps of an SM keep in step.
constexpr double longLoop = 8;
/// What warps wait for overlaps with what others do, and so does the start of
/// blocks (H200: blocks that start in 162 us and move data in 124 us take 206).
constexpr double overlap = 3.5;

/// Cycles of things that overlap, the better the larger the power.
double overlapping(std::initializer_list<double> cycles,
                   double power = overlap) {
  double sum = 0;
  for (double each : cycles)
    sum += std::pow(each, power);
  return std::pow(sum, 1 / power);
}

/// Bytes between two addresses, if both are known.
std::optional<double> distance(std::optional<uint64_t> one,
                               std::optional<uint64_t> other) {
  if (!one || !other)
    return std::nullopt;
  return std::abs(double(int64_t(*other - *one)));
}

/// From 0 to 1: how much less `then` is than `now`.
double shareOf(double now, double then) {
  return now <= 0 ? 0 : std::clamp(1 - then / now, 0.0, 1.0);
}

/// Counts the sectors that DRAM moves for the first request: it reads and
/// writes 64 bytes at a time (H200: stride 32 takes 2.4 times what stride 8
/// takes).
double dramSectorsOf(const Cost &cost, unsigned bytes) {
  return piecesTouched(cost.addresses, cost.active, bytes, dramBytes) *
         (dramBytes / sectorBytes);
}

/// Wavefronts that move the data of `lanes` lanes, whatever their addresses.
double dataWavefronts(double lanes, unsigned bytes) {
  return std::max(1.0, lanes * bytes / lineBytes);
}

/// Cycles in which an SM passes a store on, if few others store (H100: 4 for a
/// line, 40 for 32 sectors of 8 lines, 65 for as many of 32).
double storePasses(double lines, double sectors) { return lines + sectors - 1; }

/// The part of a request's pieces of memory of `size` bytes that the next
/// warp's request touches, too.
double overlapOf(const Cost &cost, const LaneValues &next, unsigned bytes,
                 unsigned size) {
  llvm::SmallSet<uint64_t, 32> nexts, both;
  const uint64_t last = std::max(1u, bytes) - 1;
  auto visit = [&](uint64_t address, auto &&body) {
    for (uint64_t piece = address / size; piece <= (address + last) / size;
         ++piece)
      body(piece);
  };
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (cost.active >> lane & 1 & ~(next.unknown >> lane))
      visit(next.value[lane], [&](uint64_t piece) { nexts.insert(piece); });
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (cost.active >> lane & 1)
      visit(cost.addresses[lane], [&](uint64_t piece) {
        if (nexts.contains(piece))
          both.insert(piece);
      });
  return double(both.size()) /
         piecesTouched(cost.addresses, cost.active, bytes, size);
}

/// The share of a loop's iterations in which a request touches a piece of
/// memory of `size` bytes that those before did not, if each iteration moves
/// on by `step` bytes. Rows of which each begins elsewhere in a sector
/// make every request wait for one of them (H100, 8 warps that walk through
/// rows of 1,025 words: 570 cycles an iteration).
double iterationsWithNew(const Cost &cost, unsigned bytes, double step,
                         unsigned size) {
  const unsigned period = unsigned(std::ceil(size / std::max(1.0, step)));
  llvm::SmallSet<uint64_t, 32> seen;
  unsigned withNew = 0;
  for (unsigned i = 0; i <= period; ++i) {
    bool isNew = false;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (cost.active >> lane & 1)
        isNew |= seen.insert((cost.addresses[lane] + uint64_t(i * step) +
                              std::max(1u, bytes) - 1) /
                             size)
                     .second;
    withNew += i && isNew;
  }
  return double(withNew) / period;
}

/// How often an update under a condition on data is taken to be made where
/// nothing says that it is no rare one, as a match or a result to keep is:
/// between always and once in a thousand times. Taken for certain, it would
/// hide all else that the kernel does.
constexpr double rarely = 1.0 / 32;

/// Loaded data decide each lane's address in global memory.
bool isGather(const Cost &cost) {
  return cost.basis == Basis::Unknown && cost.cause && mayBeGlobal(cost.space);
}

double lanesOf(const Cost &cost) { return cost.lanes ? cost.lanes : warpSize; }

/// By access; none for what is no gather. One evaluation serves all: each index
/// may depend on all gathers before it.
std::vector<std::optional<GatherCost>>
gatherCosts(const Kernel &kernel, const ShapeCosts &costs,
            Frequencies &frequencies, const Throughput &machine, double warps) {
  std::vector<std::optional<GatherCost>> found(kernel.accesses.size());
  std::map<std::pair<std::string, std::vector<LoopId>>, unsigned> together;
  for (unsigned i = 0; i < found.size(); ++i)
    if (isGather(costs.costs[i]))
      ++together[{kernel.accesses[i].object, kernel.accesses[i].loops}];
  if (together.empty())
    return found;
  LoadedIndexes indexes(kernel, costs.shape.shape, costs.shape.launches);
  CacheUsers users;
  users.warpsPerBlock = frequencies.warpsPerBlock();
  users.multiprocessors = std::clamp<double>(warps / users.warpsPerBlock, 1,
                                             machine.multiprocessors);
  users.warpsPerSm = std::max(1.0, warps / users.multiprocessors);
  users.residentWarps =
      std::min(machine.warps * KernelTime::residentShare, users.warpsPerSm);
  for (unsigned i = 0; i < found.size() && !isOverdue(); ++i) {
    const Access &access = kernel.accesses[i];
    if (!isGather(costs.costs[i]) || access.isVolatile)
      continue;
    users.requests =
        std::max(1e-9, frequencies.of(access.loops, access.guard).perWarp);
    users.lanes = lanesOf(costs.costs[i]);
    users.together = together[{access.object, access.loops}];
    found[i] = gatherCost(
        gatherReach(kernel, costs.shape, access, indexes, frequencies), users);
  }
  return found;
}

/// By access: the most addresses that data choose for a request to constant
/// memory. 'table[bits & 3]' has four.
std::vector<double> mostAddresses(const Kernel &kernel,
                                  const ShapeCosts &costs) {
  std::vector<double> most(kernel.accesses.size(), addressesByData);
  std::optional<LoadedIndexes> indexes;
  for (unsigned i = 0; i < most.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (!isConstantBank(costs.costs[i].space) || !access.bytes ||
        costs.costs[i].basis != Basis::Unknown)
      continue;
    if (!indexes)
      indexes.emplace(kernel, costs.shape.shape, costs.shape.launches);
    const double reach = double(indexes->reach(access.address));
    most[i] = std::min(most[i], reach / access.bytes + 1);
  }
  return most;
}

bool dependsOnBlock(const ExpressionGraph &graph, ValueId value,
                    unsigned dimension) {
  return !graph.walk(value, [&](ValueId id) {
    const Node &node = graph.node(id);
    return node.op == Op::Opaque || node.op == Op::Varying ||
                   (node.op == Op::BlockIndex && node.number == dimension)
               ? ExpressionGraph::Walk::Stop
               : ExpressionGraph::Walk::Into;
  });
}

} // namespace

Demand &Demand::operator+=(const Demand &other) {
  instructions += other.instructions;
  doubles += other.doubles;
  special += other.special;
  wavefronts += other.wavefronts;
  sectors += other.sectors;
  storing += other.storing;
  dramSectors += other.dramSectors;
  unsureSectors += other.unsureSectors;
  latency += other.latency;
  together += other.together;
  serialNanoseconds += other.serialNanoseconds;
  return *this;
}

Demand &Demand::operator-=(const Demand &other) {
  auto take = [](double &from, double what) {
    from = std::max(0.0, from - what);
  };
  take(instructions, other.instructions);
  take(doubles, other.doubles);
  take(special, other.special);
  take(wavefronts, other.wavefronts);
  take(sectors, other.sectors);
  take(storing, other.storing);
  take(dramSectors, other.dramSectors);
  take(unsureSectors, other.unsureSectors);
  take(latency, other.latency);
  take(together, other.together);
  take(serialNanoseconds, other.serialNanoseconds);
  return *this;
}

Demand Demand::operator*(double factor) const {
  return {instructions * factor,     doubles * factor, special * factor,
          wavefronts * factor,       sectors * factor, storing * factor,
          dramSectors * factor,      unsureSectors * factor,
          latency * factor,          together * factor,
          serialNanoseconds * factor};
}

Demand Demand::waits() const {
  Demand wait;
  wait.latency = latency;
  wait.together = together;
  return wait;
}

Demand Demand::ofSmallData() const {
  Demand small = *this;
  small.dramSectors = std::max(0.0, dramSectors - unsureSectors);
  small.unsureSectors = 0;
  return small;
}

const char *spelling(Bound bound) {
  switch (bound) {
  case Bound::Dram:
    return "DRAM";
  case Bound::L2:
    return "L2";
  case Bound::L1:
    return "L1 and shared memory";
  case Bound::Issue:
    return "instructions";
  case Bound::Doubles:
    return "FP64";
  case Bound::Special:
    return "special functions";
  case Bound::Latency:
    return "latency";
  case Bound::Atomics:
    return "atomics on one address";
  }
  return "";
}

KernelTime::KernelTime(const Kernel &kernel, const ShapeCosts &costs,
                       unsigned capability)
    : kernel_(kernel), costs_(costs), machine_(throughputOf(capability)),
      frequencies_(kernel, costs.shape),
      evaluation_(std::make_unique<Evaluation>(kernel, costs.shape.launches)),
      warp_(std::make_unique<Warp>(*evaluation_, costs.shape.shape, 0, 0, 0)),
      neighbour_(
          std::make_unique<Warp>(*evaluation_, costs.shape.shape, 1, 0, 0)),
      nextBlock_(std::make_unique<Warp>(
          *warp_, BlockPlace{warp_->block()[0] + 1, warp_->block()[1],
                             warp_->block()[2]})),
      odd_(std::make_unique<Warp>(*evaluation_, costs.shape.shape, 0, 0,
                                  oddSizes)),
      mostAddresses_(mostAddresses(kernel, costs)),
      isRow_(kernel.accesses.size()), isSample_(kernel.accesses.size()),
      isApart_(kernel.accesses.size()), accesses_(kernel.accesses.size()) {
  for (const std::optional<unsigned> &store : storesBefore(kernel))
    if (store)
      isApart_[*store] = true;
  for (unsigned array = 0; array < kernel.arrays.size(); ++array)
    isInRegisters_.push_back(canBeInRegisters(kernel, array));
  llvm::DenseSet<ValueId> seen;
  for (const Access &access : kernel.accesses)
    kernel.graph.walk(access.address, seen, [&](ValueId id) {
      const Node &node = kernel.graph.node(id);
      if (node.op == Op::BlockIndex)
        isUsed_[node.number] = true;
      return ExpressionGraph::Walk::Into;
    });
  const auto gathers =
      gatherCosts(kernel, costs, frequencies_, machine_, warpsInAll());
  std::optional<RowBegins> begins;
  for (const auto &gather : gathers) {
    inL2_.push_back(gather ? gather->inL2 : 1);
    isReachUnknown_.push_back(gather && !gather->isReachKnown);
  }
  for (unsigned i = 0; i < accesses_.size() && !isOverdue(); ++i) {
    reuse_.push_back(gathers[i] ? Reuse() : computeReuse(i));
    if (!gathers[i])
      continue;
    if (!begins)
      begins = rowBegins(kernel, *warp_);
    addGather(i, *gathers[i], *begins);
  }
  if (isOverdue())
    return; // nobody reads the result
  std::vector<double> isNew;
  for (const Reuse &reuse : reuse_)
    isNew.push_back(reuse.sectors);
  const double resident = std::min(this->resident(), warpsPerSm());
  auto stepOf = [&](unsigned i, LoopId loop) { return addressStep(i, loop); };
  const std::vector<OuterReuse> outer =
      outerReuse(kernel, costs, frequencies_, isNew, stepOf, resident,
                 multiprocessorsUsed());
  const std::vector<bool> isServed =
      loadedByAnother(kernel, costs, *evaluation_, *warp_);
  for (unsigned i = 0; i < accesses_.size() && !isOverdue(); ++i) {
    if (isServed[i])
      reuse_[i].dramSectors = reuse_[i].dramMisses = 0;
    reuse_[i].sectors /= outer[i].inL1;
    reuse_[i].misses /= outer[i].inL1;
    reuse_[i].dramSectors /= outer[i].inL2;
    reuse_[i].dramMisses /= outer[i].inL2;
    addAccess(i);
  }
  if (isOverdue())
    return;
  if (shapeThreads() < warpSize)
    for (unsigned i = 0; i < accesses_.size() && !isOverdue(); ++i)
      joinedWavefronts_.push_back(computeJoinedWavefronts(i, *nextBlock_));
  total_.serialNanoseconds = longestUpdates();
  movesInLoops_ = 2 * sectorsInLoops() > total_.sectors;
  addArithmetic();
  addLatency();
  // Checks ask as long as the source is linted; it may have many kernels.
  warp_.reset();
  neighbour_.reset();
  nextBlock_.reset();
  odd_.reset();
  evaluation_.reset();
  frequencies_.release();
}

/// Takes over what caches serve of a gather, and what its order saves.
void KernelTime::addGather(unsigned i, const GatherCost &gather,
                           const RowBegins &begins) {
  const Access &access = kernel_.accesses[i];
  Reuse &reuse = reuse_[i];
  isSample_[i] = isOfSample(kernel_.graph, access.address, *warp_);
  isRow_[i] = isOfRow(kernel_.graph, access.address, begins, *warp_);
  reuse.dramSectors = reuse.dramMisses = gather.inDram;
  // An iteration moves the samples of all threads to a row that other blocks
  // read at the same time, or by less than a row.
  if (isSample_[i])
    reuse.dramSectors = reuse.dramMisses =
        std::min(gather.inDram, 1 / std::max(1.0, requestsOf(i)));
  // Stores go through L1.
  if (access.operation == Operation::Load) {
    reuse.sectors = reuse.misses = gather.inL2;
    reuse.wavefronts = gather.wavefronts;
  }
  if (isRow_[i]) {
    const double used = std::min(1.0, double(access.bytes) / sectorBytes);
    for (double *share :
         {&reuse.sectors, &reuse.misses, &reuse.dramSectors, &reuse.dramMisses})
      *share = std::min(*share, used);
  }
}

/// The bytes by which the first active lane's address moves from the first
/// iteration of a loop to the second.
std::optional<double> KernelTime::addressStep(unsigned i, LoopId loop) {
  Iterations second;
  second[loop] = 1;
  return distance(addressIn(i, *warp_, Iterations()),
                  addressIn(i, *warp_, second));
}

/// The address of the first active lane, if it is known.
std::optional<uint64_t>
KernelTime::addressIn(unsigned i, Warp &warp,
                      const Iterations &iterations) const {
  const uint32_t active = costs_.costs[i].active;
  if (!active)
    return std::nullopt;
  const unsigned lane = llvm::countr_zero(active);
  const LaneValues &address =
      warp.evaluate(kernel_.accesses[i].address, iterations);
  if (address.unknown >> lane & 1)
    return std::nullopt;
  return address.value[lane];
}

/// Computes what the caches have lost by the next iteration of what the warps of
/// an SM touched in this one. Loads of several iterations that are under way
/// together touch their lines at once.
KernelTime::Lost KernelTime::lostIn(LoopId loop) {
  auto [place, isNew] = lost_.try_emplace(loop);
  if (!isNew)
    return place->second;
  const double lines =
      std::min<double>(resident(), warpsPerSm()) *
      linesInIteration(kernel_, costs_, loop, [&](unsigned i) {
        const unsigned warps = frequencies_.warpsPerBlock();
        const bool isShared =
            warps > 1 && addressIn(i, *warp_, Iterations()) ==
                             addressIn(i, *neighbour_, Iterations());
        return inL2_[i] / (isShared && !isGather(costs_.costs[i]) ? warps : 1);
      });
  const double together =
      isLoadedAhead(kernel_, costs_, loop) ? togetherIn(loop) : 1;
  Lost lost;
  lost.byL1 = lostLines(lines) / together;
  if (lines * lineBytes * multiprocessorsUsed() > cachedInL2)
    lost.byL2 = lost.byL1;
  return lost_[loop] = lost;
}

/// Estimates the share of a request's sectors that is new: L1 and L2 keep those
/// that the iteration before and the other warps of the block touched.
KernelTime::Reuse KernelTime::computeReuse(unsigned i) {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  Reuse result;
  if (access.isVolatile || !cost.active)
    return result;
  Iterations iterations;
  auto addressIn = [&](Warp &in) { return this->addressIn(i, in, iterations); };
  const std::optional<uint64_t> here = addressIn(*warp_);
  if (!here)
    return result;
  const bool isLoad = access.operation == Operation::Load;
  auto follow = [&](std::optional<uint64_t> other, double times,
                    const Lost &lost) {
    if (!other)
      return;
    const double step = std::abs(double(int64_t(*other - *here)));
    auto isNew = [&](double size, double again) {
      const double first = std::max(step / size, 1 / times);
      return first + (1 - first) * again;
    };
    if (step < sectorBytes) {
      if (isLoad)
        result.sectors *= isNew(sectorBytes, lost.byL1);
      result.isFilled |= step > 0;
    }
    if (step < dramBytes)
      result.dramSectors *= isNew(dramBytes, lost.byL2);
  };
  if (!access.loops.empty()) {
    const LoopId loop = access.loops.back();
    iterations[loop] = 1;
    const std::optional<uint64_t> next = addressIn(*warp_);
    iterations[loop] = 0;
    follow(next, frequencies_.trips(loop).count,
           next == here || !isLoad ? Lost() : lostIn(loop));
  }
  // Warps that load the same wait for it together.
  result.misses = result.sectors;
  result.dramMisses = result.dramSectors;
  if (!access.loops.empty() && isLoad) {
    const double step =
        addressStep(i, access.loops.back()).value_or(double(sectorBytes));
    if (step > 0 && step < sectorBytes && result.sectors < 1) {
      result.misses =
          std::max(result.misses,
                   iterationsWithNew(cost, access.bytes, step, sectorBytes));
      result.dramMisses =
          std::max(result.dramMisses,
                   iterationsWithNew(cost, access.bytes, step, dramBytes));
    }
  }
  const unsigned warps = frequencies_.warpsPerBlock();
  const std::optional<uint64_t> neighbours =
      warps > 1 ? addressIn(*neighbour_) : std::nullopt;
  if (neighbours &&
      std::abs(double(int64_t(*neighbours - *here))) >= double(sectorBytes)) {
    // A request that begins inside a sector shares its last one with the next
    // warp's.
    const LaneValues &next = neighbour_->evaluate(access.address, iterations);
    const double least = 1.0 / warps;
    if (isLoad)
      result.sectors *=
          std::max(least, 1 - (1 - least) * overlapOf(cost, next, access.bytes,
                                                      sectorBytes));
    result.dramSectors *=
        std::max(least, 1 - (1 - least) *
                                overlapOf(cost, next, access.bytes, dramBytes));
  } else {
    follow(neighbours, warps, Lost());
  }
  const double part = partOfNextBlock(here, addressIn(*nextBlock_));
  result.dramSectors *= part;
  result.isFilled |= part < double(sectorBytes) / dramBytes;
  if (isLoad) {
    const double blocks = blocksThatLoadTheSame(access);
    result.dramSectors /= blocks;
    result.dramMisses /= blocks;
    limitBySpan(i, result);
  }
  return result;
}

/// The share of a request's DRAM traffic that the next block does not move as
/// well: blocks narrower than 64 bytes run at the same time, and L2 joins them.
double KernelTime::partOfNextBlock(std::optional<uint64_t> here,
                                   std::optional<uint64_t> next) const {
  const auto step = distance(here, next);
  return step.value_or(0) == 0
             ? 1
             : std::clamp(*step / dramBytes, 1 / blocksAlong(0), 1.0);
}

/// The launch loads no more from DRAM than its loads span, or than there is of
/// an argument's memory, if L2 keeps that.
void KernelTime::limitBySpan(unsigned i, Reuse &reuse) {
  const Access &access = kernel_.accesses[i];
  std::optional<double> span =
      spanOf(kernel_, costs_.shape, access, frequencies_);
  const auto object = onlyObject(kernel_, access.address);
  if (const double all = object ? kernel_.objects[*object].allocated : 0)
    span = std::min(span.value_or(all), all);
  if (!span || *span > cachedInL2)
    return;
  const double requests =
      warpsInAll() * frequencies_.of(access.loops, access.guard).perWarp;
  const double moved =
      dramSectorsOf(costs_.costs[i], access.bytes) * sectorBytes * requests;
  if (moved <= 0)
    return;
  reuse.dramSectors = std::min(reuse.dramSectors, *span / moved);
  reuse.dramMisses = std::min(reuse.dramMisses, *span / moved);
}

/// L2 keeps for the other blocks what one has loaded.
double KernelTime::blocksThatLoadTheSame(const Access &access) const {
  const double all = warpsInAll() / frequencies_.warpsPerBlock();
  double same = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (isUsed_[dimension] &&
        !dependsOnBlock(kernel_.graph, access.address, dimension))
      same *= blocksAlong(dimension);
  return std::clamp(same, 1.0, std::max(1.0, all));
}

double KernelTime::blocksAlong(unsigned dimension) const {
  double most = 0;
  for (const Launched &launch : costs_.shape.launches)
    most = std::max(most, double(launch.grid[dimension].value_or(0)));
  if (most)
    return most;
  const unsigned used = llvm::count(isUsed_, true);
  return std::pow(warpsInAll() / frequencies_.warpsPerBlock(),
                  1.0 / std::max(1u, used));
}

/// The most words that one bank of L1 gives to a load, in all halves or quarters
/// of the warp (H100, 32 rows of 128 bytes: 32 wavefronts for a float of each,
/// and 32 for a double). A row pitch that only the run knows may be a multiple
/// of 32 words, or no such number: half way between (H100, 32 rows: 33 cycles
/// for a load at 1,024 words, 10 at 1,025).
double KernelTime::banksOf(unsigned i) const {
  const Cost &cost = costs_.costs[i];
  const unsigned bytes = std::max(1u, kernel_.accesses[i].bytes);
  auto wavefronts = [&](const LaneAddresses &addresses) {
    return conflictWays(addresses, cost.active, bytes) *
           dataWavefronts(piecesTouched(addresses, cost.active, bytes, bytes),
                          bytes);
  };
  const double even = wavefronts(cost.addresses);
  if (even == 1 || costs_.shape.launches.size() > 1)
    return even;
  const LaneValues &odd =
      odd_->evaluate(kernel_.accesses[i].address, Iterations());
  if (odd.unknown & cost.active)
    return even;
  return (even + wavefronts(odd.value)) / 2;
}

/// L1 looks up several lines at once if it has them, and is held up by lanes
/// that read different words of one bank.
double KernelTime::loadWavefronts(unsigned i, double lines) const {
  const Cost &cost = costs_.costs[i];
  const unsigned bytes = kernel_.accesses[i].bytes;
  const double held = std::max(lines / linesAtOnce, banksOf(i));
  const double isNew = reuse_[i].sectors;
  return std::max(isNew * lines + (1 - isNew) * std::min(lines, held),
                  dataWavefronts(cost.lanes ? cost.lanes : warpSize, bytes));
}

/// The part of a store's passes that is its own where neighbours that follow at
/// once join their bytes to its sectors (H100, stride 16: 20 cycles alone, 6
/// together); too many sectors are passed on before.
double KernelTime::joinedPart(unsigned i) const {
  constexpr double heldTogether = 20;
  const double sectors = costs_.costs[i].sectors;
  if (costs_.costs[i].basis == Basis::Unknown || sectors > heldTogether)
    return 1;
  const Waste group = waste(kernel_, costs_, i);
  return group.group.size() > 1 && group.sectors && sectors
             ? std::min(1.0, group.sectors / sectors / group.group.size())
             : 1;
}

Demand KernelTime::savedByJoining(unsigned i) const {
  Demand saved;
  if (!isApart_[i])
    return saved;
  const double left = joinedPart(i), whole = accesses_[i].sectors;
  saved.wavefronts = accesses_[i].wavefronts * (1 - left);
  saved.storing = std::min(accesses_[i].storing,
                           (accesses_[i].storing + whole) * (1 - left));
  return saved;
}

/// Returns true if L1 holds a local array of all threads on its SM.
bool KernelTime::isHeldInL1(unsigned array) const {
  const uint64_t bytes = kernel_.arrays[array].bytes;
  return bytes && bytes * threadsOnSm() <= cachedInL1;
}

double KernelTime::requestsOf(unsigned i) const {
  const Access &access = kernel_.accesses[i];
  llvm::ArrayRef<LoopId> loops = access.loops;
  if (access.need == Need::Once && !loops.empty())
    loops = loops.drop_back();
  return frequencies_.of(loops, access.guard).perWarp;
}

void KernelTime::addAccess(unsigned i) {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  if (access.need == Need::Never || cost.isKeptOut)
    return;
  const double times = requestsOf(i);
  const bool isUnknown = cost.basis == Basis::Unknown;
  const double lanes = cost.lanes ? cost.lanes : warpSize;
  const unsigned bytes = access.bytes ? access.bytes : 16;
  Demand one;
  switch (cost.space) {
  case Space::Shared:
    // Wide accesses are served by halves and quarters of a warp; lanes that
    // load the same count as one (H200: a float4 of each lane takes 4 cycles,
    // of two lanes 2, of four lanes 1).
    one.wavefronts =
        std::max(1.0, isUnknown ? 2.0 : double(cost.ways)) *
        dataWavefronts(
            access.operation == Operation::Load && !isUnknown
                ? piecesTouched(cost.addresses, cost.active, bytes, bytes)
                : lanes,
            bytes);
    if (access.operation == Operation::Atomic) {
      const Contention seen = contention(kernel_, costs_.shape, access);
      const double together = seen.known ? seen.lanesPerAddress() : 2;
      one.wavefronts = std::max(1.0, together) *
                       (access.isNativeAtomic ? 1 : swapWavefronts);
    }
    break;
  case Space::Constant:
  case Space::Parameter:
    one.wavefronts = (addressesOf(i) - (isUnknown ? 0 : 1)) * constantCycles;
    break;
  case Space::Local: {
    if (access.array && isInRegisters_[*access.array])
      return;
    const LaneValues &address = warp_->evaluate(access.address, Iterations());
    const LocalRequest request =
        localRequest(address, cost.active ? cost.active : warp_->lanes(), bytes,
                     access.array ? kernel_.arrays[*access.array].bytes : 0);
    one.wavefronts = request.lines;
    // A variable whose address a function takes is small enough for L1.
    const bool isHeld = !access.array || isHeldInL1(*access.array);
    // L1 writes through.
    if (access.operation != Operation::Load || !isHeld)
      one.sectors = request.sectors;
    // A store to an unknown index takes L2 what a global one does, where the
    // compiler joins known neighbours (H100: 8 cycles for one index in all
    // lanes, 80 for eight indexes).
    if (access.operation != Operation::Load &&
        whyNotKnown(kernel_, access.address)) {
      one.wavefronts = storePasses(request.lines, request.sectors);
      one.storing =
          std::max(0.0, storeSectors * one.wavefronts - request.sectors);
    }
    one.dramSectors = one.sectors * sectorBytes / lineBytes;
    break;
  }
  case Space::Texture:
    one.wavefronts = 2;
    one.sectors = one.dramSectors = 4;
    break;
  case Space::Global:
  case Space::Unknown: {
    const double sectors = !isUnknown ? cost.sectors
                           : cost.cause && !isSample_[i]
                               ? lanes // data lead anywhere
                               : lanes * bytes / sectorBytes;
    double lines = isUnknown ? sectors : linesOf(cost, bytes);
    if (isGather(cost) && !isSample_[i] && access.operation == Operation::Load)
      lines = reuse_[i].wavefronts.value_or(
          gatherCost({}, {.lanes = lanes}).wavefronts);
    const bool isLoad = access.operation == Operation::Load;
    one.wavefronts = isLoad && !isUnknown
                         ? loadWavefronts(i, lines)
                         : std::max(lines, dataWavefronts(lanes, bytes));
    one.sectors = sectors;
    if (access.operation == Operation::Store) {
      const double part = isApart_[i] ? 1 : joinedPart(i);
      one.wavefronts = std::max(1.0, storePasses(lines, sectors) * part);
      one.sectors *= part;
      one.storing = std::max(
          0.0, storeSectors * storePasses(lines, sectors) * part - one.sectors);
    }
    if (access.operation == Operation::Atomic) {
      const Contention seen = contention(kernel_, costs_.shape, access);
      const double combined = access.isCombined && seen.known
                                  ? std::max(1.0, seen.addresses)
                                  : lanes;
      // L2 updates the words of a sector together, and one word again and
      // again.
      one.sectors = atomicSectors * std::max(1.0, sectors) *
                    (seen.known && !access.isCombined
                         ? std::max(1.0, seen.lanesPerAddress())
                         : 1);
      // Iterations that lead to other addresses: 'for (; b < bins; b += 256)'.
      double places = 1;
      for (LoopId loop : access.loops)
        if (!sameAddressNextIteration(kernel_, costs_.shape.shape, access, loop)
                 .value_or(true))
          places *= frequencies_.trips(loop).count;
      const double addresses =
          seen.known && seen.sameInAllBlocks
              ? places * std::max(1.0, double(shapeThreads()) * seen.share /
                                           std::max(1.0, seen.perAddress))
          : seen.mostAddresses ? double(*seen.mostAddresses)
                               : 0;
      if (addresses) {
        // Neighbours of one sector wait for each other (H200: 256 counters).
        const double apart = std::max(1.0, addresses * bytes / sectorBytes *
                                               sectorsUpdatedAtOnce);
        one.serialNanoseconds =
            warpsInAll() * combined / apart *
            (isPerhapsRare(access, seen) ? rarely : 1) *
            (access.isCombined       ? joinedNanoseconds
             : access.isNativeAtomic ? integerNanoseconds
                                     : sameAddressNanoseconds);
      }
      if (!isUnknown && !(seen.known && seen.sameInAllBlocks))
        one.dramSectors = 2 * dramSectorsOf(cost, bytes);
      break;
    }
    const Reuse known = isUnknown && !isGather(cost) ? Reuse() : reuse_[i];
    one.dramSectors = isUnknown ? 2 * sectors : dramSectorsOf(cost, bytes);
    bool isPartial = sectors > 1.5 * cost.idealSectors;
    if (!isUnknown) {
      // L1 has the sectors that a neighbour loads; L2 joins its stores.
      const Waste group = waste(kernel_, costs_, i);
      if (group.group.size() > 1 && group.sectors && sectors) {
        const double own = group.sectors / sectors / group.group.size();
        one.dramSectors *= std::min(1.0, own);
        if (isLoad)
          one.sectors *= std::min(1.0, own);
        isPartial = group.sectors > 1.5 * group.idealSectors;
      }
    }
    // L2 first reads what a store leaves of a sector.
    if (!isLoad && isPartial && !known.isFilled)
      one.dramSectors *= 2;
    one.sectors *= known.sectors;
    one.dramSectors *= known.dramSectors;
    break;
  }
  }
  if (isReachUnknown_[i] && !isRow_[i] && !isSample_[i])
    one.unsureSectors = one.dramSectors;
  accesses_[i] = one * times;
  total_ += accesses_[i];
}

/// The nanoseconds of the object whose updates take longest.
double KernelTime::longestUpdates() const {
  std::map<std::string, double> updates;
  double longest = 0;
  for (unsigned i = 0; i < accesses_.size(); ++i) {
    double &object = updates[kernel_.accesses[i].object];
    object += accesses_[i].serialNanoseconds;
    longest = std::max(longest, object);
  }
  return longest;
}

/// The sectors that move in loops of many iterations.
double KernelTime::sectorsInLoops() const {
  double sectors = 0;
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (llvm::any_of(kernel_.accesses[i].loops, [&](LoopId loop) {
          return frequencies_.trips(loop).count >= longLoop;
        }))
      sectors += accesses_[i].sectors;
  return sectors;
}

Demand KernelTime::ofInstructions(double count, const Access &access) const {
  Arithmetic work;
  work.loops = access.loops;
  work.guard = access.guard;
  work.instructions = count;
  return demandOf(work);
}

/// The number of loops around an operation that leave its inputs as they are,
/// from the innermost one outwards.
static unsigned loopsThatLeave(const Kernel &kernel,
                               const Computation &operation) {
  size_t left = kernel.loopsOf(operation).size();
  for (const Input &input : kernel.inputsOf(operation))
    if (input.source != Input::Source::Constant)
      left = std::min<size_t>(left, input.invariantLoops);
  return operation.inputCount ? left : 0;
}

Demand KernelTime::ofPipes(const PipeCounts &pipes,
                           const Computation &at) const {
  const Arithmetic &under = kernel_.arithmetic[at.under];
  Arithmetic work;
  work.loops = under.loops;
  // What stays the same in a loop is computed before it.
  for (unsigned left = loopsThatLeave(kernel_, at); left; --left)
    work.loops.pop_back();
  work.guard = under.guard;
  work.instructions = pipes.all();
  work.doubles = pipes.doubles;
  work.special = pipes.special;
  return demandOf(work);
}

double KernelTime::longestOf(const Frequency &frequency) const {
  return frequency.longest *
         std::max(frequency.blocks, 1 / fillings(resident()));
}

Demand KernelTime::demandOf(const Arithmetic &work) const {
  const Frequency frequency = frequencies_.of(work.loops, work.guard);
  Demand demand;
  demand.instructions = work.instructions * frequency.perWarp;
  demand.doubles = work.doubles * frequency.perWarp;
  demand.special = work.special * frequency.perWarp;
  demand.latency =
      work.instructions * longestOf(frequency) * instructionLatency;
  return demand;
}

void KernelTime::addArithmetic() {
  for (const Arithmetic &work : kernel_.arithmetic)
    total_ += demandOf(work);
  const std::vector<bool> repeated = repeatedOperations(kernel_);
  const std::vector<PipeCounts> shared = sharedByDivisions(kernel_, repeated);
  for (size_t i = 0; i < kernel_.operations.size(); ++i) {
    const Computation &operation = kernel_.operations[i];
    // The indexes of addresses are counted as they are shared.
    if (!isFloat(operation.type) && !isDivision(operation))
      continue;
    const PipeCounts pipes =
        repeated[i] ? pipesOf(kernel_, operation) : shared[i];
    if (pipes.all() > 0)
      total_ -= ofPipes(pipes, operation);
  }
}

Demand KernelTime::coalesced(unsigned i) const {
  Demand demand = accesses_[i];
  const Cost &cost = costs_.costs[i];
  // The order of the data is unknown: half of what other data would save.
  if (isGather(cost)) {
    const double least = std::min(1.0, double(kernel_.accesses[i].bytes) /
                                           sectorBytes),
                 left = (1 + least) / 2;
    // A table of few lines gives its data at once.
    const double needed =
        dataWavefronts(lanesOf(cost), std::max(1u, kernel_.accesses[i].bytes)) *
        requestsOf(i);
    demand.wavefronts = std::min(
        demand.wavefronts, std::max(demand.wavefronts * least, needed) / 2 +
                               demand.wavefronts / 2);
    if (isRow_[i])
      return demand; // L1 serves what a lane's own row leaves of a sector
    demand.sectors *= left;
    demand.storing *= left;
    demand.dramSectors *= left;
    demand.unsureSectors *= left;
    return demand;
  }
  const unsigned bytes = kernel_.accesses[i].bytes;
  const double ideal = std::max(1.0, cost.idealSectors),
               least = dataWavefronts(cost.lanes, bytes);
  if (kernel_.accesses[i].operation == Operation::Store) {
    const double left = std::min(
        1.0,
        storePasses(least, ideal) /
            std::max(1.0, storePasses(linesOf(cost, bytes), cost.sectors)));
    demand.wavefronts *= left;
    demand.sectors *= left;
    demand.storing *= left;
  } else {
    const double requests = requestsOf(i), whole = accesses_[i].sectors;
    demand.wavefronts = std::min(demand.wavefronts, least * requests);
    // L1 turns sectors of which every iteration uses a part into the same ones.
    const double factor = std::min(1.0, ideal / std::max(1.0, cost.sectors));
    demand.sectors = std::min(
        whole, std::max(whole * factor, std::min(whole, ideal * requests)));
  }
  demand.dramSectors = std::min(demand.dramSectors, demand.sectors);
  return demand;
}

Demand KernelTime::withWavefronts(unsigned i, double wavefronts) const {
  Demand demand = accesses_[i];
  const Cost &cost = costs_.costs[i];
  const double now = cost.space == Space::Shared
                         ? std::max(1.0, double(cost.ways))
                         : addressesOf(i);
  demand.wavefronts *= std::min(1.0, wavefronts / now);
  if (isConstantBank(cost.space))
    demand.latency *=
        std::min(1.0, constantLatency(wavefronts) / constantLatency(now));
  return demand;
}

/// Returns the part of the wavefronts of several blocks that is left if one
/// warp has the threads of all: lanes in lines of their own keep theirs (H200:
/// blocks of one thread whose data lie 576 bytes apart took 3 times as long
/// joined to warps).
double KernelTime::computeJoinedWavefronts(unsigned i, Warp &next) const {
  const double blocks = warpSize / shapeThreads();
  const Cost &cost = costs_.costs[i];
  if (!cost.active || !mayBeGlobal(cost.space))
    return 1 / blocks;
  const auto step = distance(addressIn(i, *warp_, Iterations()),
                             addressIn(i, next, Iterations()));
  return step ? std::clamp(*step / lineBytes, 1 / blocks, 1.0) : 1;
}

Demand KernelTime::savedByFewerWarps(double left) const {
  Demand saved = total_ * (1 - left);
  double kept = 0, all = 0;
  for (unsigned i = 0; i < joinedWavefronts_.size(); ++i) {
    kept +=
        accesses_[i].wavefronts * std::max(0.0, joinedWavefronts_[i] - left);
    all += accesses_[i].wavefronts;
  }
  saved.wavefronts = std::max(0.0, saved.wavefronts - kept);
  saved.sectors = saved.storing = 0;
  saved.dramSectors = saved.unsureSectors = 0;
  saved.serialNanoseconds = 0;
  const double warps = warpsPerSm(), now = fillings(resident()),
               then = fillings(std::max(1.0, warps * left),
                               machine_.warps * residentShare),
               waits = std::max(0.0, 1 - then / now) *
                       (all ? 1 - std::min(1.0, kept / all) : 1);
  // Lanes with lines of their own wait for each other as blocks did.
  saved.latency = total_.latency * waits;
  saved.together = total_.together * waits;
  return saved;
}

Demand KernelTime::savedOnSms(const Demand &demand, double then,
                              double waits) const {
  const double used = multiprocessorsUsed();
  const double spread = std::min(1.0, used / then);
  auto shared = [&](double most, double share) {
    return std::min(1.0, spread * shareOfSms(most, share, used) /
                             shareOfSms(most, share, then));
  };
  Demand left = demand * spread;
  left.latency = demand.latency * waits;
  left.together = demand.together * waits;
  left.serialNanoseconds = demand.serialNanoseconds;
  left.sectors = demand.sectors * shared(sectorsOfOneSm, machine_.sectors);
  left.storing = demand.storing * shared(sectorsOfOneSm, machine_.sectors);
  const double ofDram = shared(dramSectorsOfOneSm, machine_.dramSectors);
  left.dramSectors = demand.dramSectors * ofDram;
  left.unsureSectors = demand.unsureSectors * ofDram;
  Demand saved = demand;
  saved -= left;
  return saved;
}

Demand KernelTime::savedBySharing(LoopId loop, const Demand &saved) const {
  const double all = warpsInAll() * warpSize,
               blocks = all / frequencies_.warpsPerBlock(),
               then = std::clamp<double>(blocks, 1, machine_.multiprocessors),
               resident = this->resident();
  const double waits =
      std::min(1.0, fillings(std::max(1.0, all / then), resident) /
                        fillings(resident) / warpSize);
  Demand rest = ofLoop(loop);
  rest -= saved;
  return savedOnSms(rest, then, waits);
}

Demand KernelTime::savedBySpreading() const {
  const double all = warpsInAll(),
               then = std::clamp<double>(all, 1, machine_.multiprocessors),
               resident = std::min<double>(mostBlocks, machine_.warps);
  const double waits = std::min(1.0, fillings(all / then, resident) /
                                         fillings(this->resident()));
  return savedOnSms(total_, then, waits);
}

Demand KernelTime::savedOutside(llvm::ArrayRef<unsigned> moved,
                                LoopId loop) const {
  const double left = 1 / frequencies_.trips(loop).count;
  Demand saved;
  bool isStore = false;
  for (unsigned i : moved) {
    saved += accesses_[i] * (1 - left);
    isStore |= kernel_.accesses[i].operation != Operation::Load;
  }
  auto stays = [&](unsigned i) {
    const Access &access = kernel_.accesses[i];
    return access.operation != Operation::Load &&
           mayBeGlobal(costs_.costs[i].space) &&
           !llvm::is_contained(moved, i) &&
           llvm::is_contained(access.loops, loop);
  };
  if (isStore && llvm::none_of(llvm::seq<unsigned>(0, accesses_.size()), stays))
    for (unsigned i = 0; i < accesses_.size(); ++i)
      if (!llvm::is_contained(moved, i) &&
          llvm::is_contained(kernel_.accesses[i].loops, loop))
        saved += accesses_[i].waits() * (1 - 1 / togetherIn(loop));
  return saved;
}

Demand KernelTime::ofLoop(LoopId loop) const {
  Demand demand;
  for (unsigned i = 0; i < accesses_.size(); ++i)
    if (llvm::is_contained(kernel_.accesses[i].loops, loop))
      demand += accesses_[i];
  for (const Arithmetic &work : kernel_.arithmetic)
    if (llvm::is_contained(work.loops, loop))
      demand += demandOf(work);
  return demand;
}

Demand KernelTime::ofSides(const Branch &branch) const {
  const ExpressionGraph &graph = kernel_.graph;
  // A side that is taken if a condition does not hold is its negation.
  llvm::SmallSet<ValueId, 8> conditions;
  for (const Side &side : branch.sides) {
    conditions.insert(side.taken);
    for (ValueId operand : graph.operands(side.taken))
      if (graph.node(operand).bits == 1 &&
          graph.node(operand).op != Op::Constant)
        conditions.insert(operand);
  }
  conditions.erase(branch.guard);
  Demand demand;
  for (const Arithmetic &work : kernel_.arithmetic) {
    const bool isOnSide =
        work.guard != branch.guard && !graph.walk(work.guard, [&](ValueId id) {
          return conditions.contains(id)    ? ExpressionGraph::Walk::Stop
                 : graph.node(id).bits == 1 ? ExpressionGraph::Walk::Into
                                            : ExpressionGraph::Walk::Past;
        });
    if (isOnSide)
      demand += demandOf(work);
  }
  return demand;
}

/// The part of `bytes` that a cache of `held` bytes does not hold, if they are
/// touched in turn.
static double missedPart(double bytes, double held) {
  return bytes > held ? 1 - held / bytes : 0;
}

Demand KernelTime::local(const LocalTraffic &access,
                         llvm::ArrayRef<LoopId> loops, ValueId guard) const {
  const Frequency frequency = frequencies_.of(loops, guard);
  Demand demand;
  demand.instructions = frequency.perWarp;
  demand.wavefronts =
      dataWavefronts(warpSize, access.bytes) * frequency.perWarp;
  const double frames = access.frame * threadsOnSm();
  // L1 writes through. Measured on an H100: 2.2 KB of spills in a frame of 760
  // bytes, for 1,024 threads on each SM, take 0.72 ms beside 0.29 ms.
  const double throughL1 = access.isStore ? 1 : missedPart(frames, cachedInL1);
  demand.sectors =
      demand.wavefronts * throughL1 * lineBytes / double(sectorBytes);
  demand.dramSectors =
      demand.sectors * missedPart(frames * multiprocessorsUsed(), cachedInL2);
  demand.latency = cachedLatency / loadsAhead * longestOf(frequency);
  return demand;
}

double KernelTime::threadsOnSm() const {
  return warpSize * std::min(resident(), warpsPerSm());
}

double KernelTime::shapeThreads() const {
  return double(costs_.shape.shape.threads());
}

double KernelTime::warpsInAll() const {
  return frequencies_.warps().value_or(usualWarps * machine_.multiprocessors);
}

double KernelTime::multiprocessorsUsed() const {
  const double blocks = warpsInAll() / frequencies_.warpsPerBlock();
  return std::clamp<double>(blocks, 1, machine_.multiprocessors);
}

double KernelTime::warpsPerSm() const {
  return warpsInAll() / multiprocessorsUsed();
}

/// What each SM that is used has of a throughput that all of them share.
double KernelTime::shareOfSms(double most, double share, double used) const {
  return std::max(share,
                  std::min(most, share * machine_.multiprocessors / used));
}

double KernelTime::cycles(const Demand &demand, double resident) const {
  const auto cycles = cyclesBy(demand, resident);
  auto at = [&](Bound bound) { return cycles[unsigned(bound)]; };
  const double calculates = overlapping(
      {at(Bound::Issue), at(Bound::Doubles), at(Bound::Special)}, smOverlap);
  const double works =
      overlapping({overlapping({calculates, at(Bound::L2)},
                               movesInLoops_ ? l2Overlap : smOverlap),
                   overlapping({calculates, at(Bound::Dram)},
                               movesInLoops_ ? dramOverlap : smOverlap),
                   at(Bound::L1), at(Bound::Atomics)},
                  smOverlap);
  return overlapping({works, at(Bound::Latency)}) +
         fillings(resident) * demand.together;
}

double KernelTime::cyclesWithStarts(const Demand &demand,
                                    double resident) const {
  return overlapping(
             {cycles(demand, resident) + fillings(resident) * startLatency,
              cyclesOfStarts()}) +
         cyclesOfLaunch();
}

/// None for a grid that only the run knows: the model takes a small one, in
/// which a launch would weigh too much.
double KernelTime::cyclesOfLaunch() const {
  return frequencies_.warps() ? launchNanoseconds * machine_.gigahertz : 0;
}

double KernelTime::addressesOf(unsigned access) const {
  const Cost &cost = costs_.costs[access];
  return cost.basis == Basis::Unknown ? mostAddresses_[access]
                                      : std::max(1.0, cost.wavefronts);
}

double KernelTime::resident() const {
  return std::min(machine_.warps * residentShare,
                  double(mostBlocks) * frequencies_.warpsPerBlock());
}

double KernelTime::fillings(double resident) const {
  return fillings(warpsPerSm(), resident);
}

double KernelTime::fillings(double warps, double resident) {
  return warps / std::min(warps, resident);
}

std::array<double, 8> KernelTime::cyclesBy(const Demand &demand,
                                           double resident) const {
  const double warps = warpsPerSm();
  std::array<double, 8> cycles{};
  auto at = [&](Bound bound) -> double & { return cycles[unsigned(bound)]; };
  at(Bound::Dram) = warps * demand.dramSectors /
                    shareOfSms(dramSectorsOfOneSm, machine_.dramSectors,
                               multiprocessorsUsed());
  at(Bound::L2) =
      warps * (demand.sectors + demand.storing) /
      shareOfSms(sectorsOfOneSm, machine_.sectors, multiprocessorsUsed());
  at(Bound::L1) = warps * demand.wavefronts / machine_.wavefronts;
  at(Bound::Issue) = warps * demand.instructions / machine_.issue;
  at(Bound::Doubles) = warps * demand.doubles * warpSize / machine_.doubles;
  at(Bound::Special) = warps * demand.special * warpSize / machine_.special;
  at(Bound::Latency) = fillings(resident) * demand.latency;
  at(Bound::Atomics) = demand.serialNanoseconds * machine_.gigahertz;
  return cycles;
}

double KernelTime::cyclesPerWarp() const {
  return cycles(total_) / warpsPerSm();
}

Bound KernelTime::bound(const Demand &added) const {
  const double resident = this->resident();
  Demand all = total_;
  all += added;
  auto cycles = cyclesBy(all, resident);
  cycles[unsigned(Bound::Latency)] += fillings(resident) * all.together;
  return Bound(llvm::max_element(cycles) - cycles.begin());
}

double KernelTime::share(const Demand &saved) const {
  Demand then = total_;
  then -= saved;
  return shareBetween(total_, then);
}

double KernelTime::shareBetween(const Demand &now, const Demand &then) const {
  const double large = shareOf(cyclesWithStarts(now), cyclesWithStarts(then));
  if (!now.unsureSectors)
    return large;
  const double small = shareOf(cyclesWithStarts(now.ofSmallData()),
                               cyclesWithStarts(then.ofSmallData()));
  return (large + small) / 2;
}

double KernelTime::shareOfAdded(const Demand &added) const {
  Demand now = total_;
  now += added;
  return shareBetween(now, total_);
}

double KernelTime::shareOfWarps(double now, double then) const {
  return shareOf(cyclesWithStarts(total_, std::max(1.0, now)),
                 cyclesWithStarts(total_, std::max(1.0, then)));
}

std::optional<double> KernelTime::microseconds() const {
  if (!frequencies_.warps())
    return std::nullopt;
  return cyclesWithStarts(total_) / (machine_.gigahertz * 1e3);
}

double KernelTime::cyclesOfStarts() const {
  const double blocks = warpsInAll() / frequencies_.warpsPerBlock();
  return blocks * blockNanoseconds * machine_.gigahertz;
}

bool KernelTime::isBoundByStarts() const {
  return cyclesOfStarts() > cycles(total_);
}

double KernelTime::shareOfStarts(double together) const {
  const double rest = cycles(total_) + fillings(resident()) * startLatency;
  const double launch = cyclesOfLaunch();
  return shareOf(launch + overlapping({rest, cyclesOfStarts()}),
                 launch + overlapping({rest, cyclesOfStarts() / together}));
}

const KernelTime &timeOf(const CostedKernel &costed, const ShapeCosts &shape) {
  if (!shape.time)
    shape.time = std::make_shared<const KernelTime>(costed.kernel, shape,
                                                    costed.capability);
  return *shape.time;
}

} // namespace warplint
