#include "cost/request_reuse.h"
#include "cost/cache_sizes.h"
#include "cost/gather.h"
#include "cost/gathered_records.h"
#include "cost/load_ahead.h"
#include "cost/loaded_again.h"
#include "cost/loaded_index.h"
#include "cost/lost_lines.h"
#include "cost/outer_reuse.h"
#include "cost/reached.h"
#include "cost/same_address.h"
#include "cost/span.h"
#include "cost/unknown_reason.h"
#include "cost/window_reuse.h"
#include "model/may_be_global.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <cmath>
#include <map>

namespace warplint {

namespace {

/// The part of a request's pieces of memory of `size` bytes that the next
/// warp's request touches, too.
double overlapOf(const Cost &cost, const LaneValues &next, unsigned bytes,
                 unsigned size) {
  llvm::SmallSet<uint64_t, 32> nexts, both;
  forEachPiece(next.value.toArray(), cost.active & ~next.unknown, bytes, size,
               [&](unsigned, uint64_t piece) { nexts.insert(piece); });
  forEachPiece(cost.addresses, cost.active, bytes, size,
               [&](unsigned, uint64_t piece) {
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

/// Returns true for an element whose number a counter in memory has handed out,
/// 'out[atomicAdd(count, 1) * 4 + k] = x': threads get neighbouring numbers,
/// and nothing stays between their elements (H200, 8 million records of four
/// floats: 66 us, as many at the thread's own number 45, at a random one 1157).
bool isHandedOut(const Kernel &kernel, const ShapeCosts &costs,
                 unsigned access) {
  const auto cause = costs.costs[access].cause;
  if (!cause || kernel.accesses[access].operation != Operation::Store ||
      unknownReason(kernel, *cause) != "the result of an atomic")
    return false;
  bool isCounter = false;
  for (const Access &other : kernel.accesses) {
    if (other.operation != Operation::Atomic || !other.resultUsed)
      continue;
    if (!sameAddressForAll(kernel, costs.shape.shape, other))
      return false; // of one list among several
    isCounter = true;
  }
  return isCounter;
}

class ReuseReader {
public:
  ReuseReader(const Kernel &kernel, const ShapeCosts &costs,
              Frequencies &frequencies, const WarpsOnSms &warps,
              const Throughput &machine, FirstWarps &first);
  std::vector<RequestReuse> read();

private:
  std::vector<std::optional<GatherCost>> gatherCosts();
  RequestReuse ofGather(unsigned access, const GatherCost &gather,
                        const RecordPart &part);
  RequestReuse ofAddress(unsigned access);
  void followLoop(unsigned access, RequestReuse &reuse);
  void followWarps(unsigned access, uint64_t here, RequestReuse &reuse);
  void followBlocks(unsigned access, uint64_t here, RequestReuse &reuse);
  void addOuterLoops(std::vector<RequestReuse> &reuse);
  /// From 0 to 1: what each cache no longer has of what it held before.
  struct Lost {
    double byL1 = 0, byL2 = 0;
  };
  Lost lostIn(LoopId loop);
  /// Takes over what is there of what was touched at `step` bytes, `times` in
  /// turn.
  static void follow(double step, double times, const Lost &lost, bool isLoad,
                     RequestReuse &reuse);
  std::optional<uint64_t> addressOf(unsigned access, Warp &warp,
                                    const Iterations &iterations = {}) const;
  std::optional<double> addressStep(unsigned access, LoopId loop) const;
  double partOfNextBlock(std::optional<uint64_t> here,
                         std::optional<uint64_t> next) const;
  void limitBySpan(unsigned access, RequestReuse &reuse);
  void limitInL1(std::vector<RequestReuse> &reuse) const;
  bool isStored(unsigned load) const;
  double requestsOfAll(unsigned access) const;
  double blocksThatLoadTheSame(const Access &access) const;
  double blocksAlong(unsigned dimension) const;

  const Kernel &kernel_;
  const ShapeCosts &costs_;
  Frequencies &frequencies_;
  const WarpsOnSms &warps_;
  const Throughput &machine_;
  FirstWarps &first_;
  std::array<bool, 3> isUsed_{};    ///< dimensions of the grid that matter
  std::vector<double> inL2_;        ///< by access: what L1 does not have of it
  std::vector<double> spans_; ///< by access: bytes in the launch; 0: unknown
  std::optional<RowBegins> begins_; ///< computed for the first gather
  std::map<LoopId, Lost> lost_;
};

ReuseReader::ReuseReader(const Kernel &kernel, const ShapeCosts &costs,
                         Frequencies &frequencies, const WarpsOnSms &warps,
                         const Throughput &machine, FirstWarps &first)
    : kernel_(kernel), costs_(costs), frequencies_(frequencies), warps_(warps),
      machine_(machine), first_(first) {
  llvm::DenseSet<ValueId> seen;
  for (const Access &access : kernel.accesses)
    kernel.graph.walk(access.address, seen, [&](ValueId id) {
      const Node &node = kernel.graph.node(id);
      if (node.op == Op::BlockIndex)
        isUsed_[node.number] = true;
      return ExpressionGraph::Walk::Into;
    });
}

/// By access; none for what is no gather. One evaluation serves all: each index
/// may depend on all gathers before it.
std::vector<std::optional<GatherCost>> ReuseReader::gatherCosts() {
  std::vector<std::optional<GatherCost>> found(kernel_.accesses.size());
  std::map<std::pair<std::string, std::vector<LoopId>>, unsigned> together;
  for (unsigned i = 0; i < found.size(); ++i)
    if (costs_.costs[i].isGather())
      ++together[{kernel_.accesses[i].object, kernel_.accesses[i].loops}];
  if (together.empty())
    return found;
  LoadedIndexes indexes(kernel_, costs_.shape.shape, costs_.shape.launches);
  CacheUsers users;
  users.warpsPerBlock = frequencies_.warpsPerBlock();
  users.multiprocessors = warps_.smsUsed();
  users.warpsPerSm = std::max(1.0, warps_.perSm());
  users.residentWarps =
      std::min(machine_.warps * WarpsOnSms::residentShare, users.warpsPerSm);
  for (unsigned i = 0; i < found.size() && !isOverdue(); ++i) {
    const Access &access = kernel_.accesses[i];
    if (!costs_.costs[i].isGather() || access.isVolatile)
      continue;
    users.requests =
        std::max(1e-9, frequencies_.of(access.loops, access.guard).perWarp);
    users.lanes = costs_.costs[i].lanesOrAll();
    users.together = together[{access.object, access.loops}];
    found[i] = gatherCost(
        gatherReach(kernel_, costs_.shape, access, indexes, frequencies_),
        users);
  }
  return found;
}

/// What caches serve of a gather, and what its order saves.
RequestReuse ReuseReader::ofGather(unsigned i, const GatherCost &gather,
                                   const RecordPart &part) {
  const Access &access = kernel_.accesses[i];
  if (!begins_)
    begins_ = rowBegins(kernel_, first_.first);
  RequestReuse reuse;
  reuse.isReachUnknown = !gather.isReachKnown;
  reuse.isClose = isOfSample(kernel_.graph, access.address, first_.first);
  reuse.isRow = isOfRow(kernel_.graph, access.address, *begins_, first_.first);
  reuse.dramSectors = reuse.dramMisses = gather.inDram * part.dramSectors;
  // An iteration moves the samples of all threads to a row that other blocks
  // read at the same time, or by less than a row.
  if (reuse.isClose)
    reuse.dramSectors = reuse.dramMisses = std::min(
        reuse.dramSectors, 1 / std::max(1.0, requestsOf(access, frequencies_)));
  if (isHandedOut(kernel_, costs_, i)) {
    reuse.isClose = reuse.isFilled = true;
    reuse.dramSectors = reuse.dramMisses = sectorBytes / double(dramBytes);
    return reuse;
  }
  // Stores go through L1.
  if (access.operation == Operation::Load) {
    reuse.sectors = reuse.misses = gather.inL2 * part.sectors;
    reuse.wavefronts = gather.wavefronts;
  }
  const auto step = access.operation == Operation::Load
                        ? stepOfWalkedRow(kernel_, access)
                        : std::nullopt;
  if (step) {
    reuse.isRow = true;
    const double inL2 = std::min(1.0, *step / sectorBytes) * part.sectors,
                 inDram = std::min(1.0, *step / dramBytes) * part.dramSectors;
    reuse.sectors = reuse.misses = std::min(reuse.sectors, inL2);
    reuse.dramSectors = reuse.dramMisses = std::min(reuse.dramSectors, inDram);
  } else if (reuse.isRow) {
    const double used = std::min(1.0, double(access.bytes) / sectorBytes);
    for (double *share :
         {&reuse.sectors, &reuse.misses, &reuse.dramSectors, &reuse.dramMisses})
      *share = std::min(*share, used);
  }
  return reuse;
}

std::optional<uint64_t>
ReuseReader::addressOf(unsigned i, Warp &warp,
                       const Iterations &iterations) const {
  return addressIn(warp, kernel_.accesses[i], costs_.costs[i], iterations);
}

/// The bytes by which the first active lane's address moves from the first
/// iteration of a loop to the second.
std::optional<double> ReuseReader::addressStep(unsigned i, LoopId loop) const {
  Iterations second;
  second[loop] = 1;
  return distance(addressOf(i, first_.first),
                  addressOf(i, first_.first, second));
}

/// Computes what the caches have lost by the next iteration of what the warps
/// of an SM touched in this one. Loads of several iterations that are under way
/// together touch their lines at once.
ReuseReader::Lost ReuseReader::lostIn(LoopId loop) {
  auto [place, isNew] = lost_.try_emplace(loop);
  if (!isNew)
    return place->second;
  const double lines =
      std::min<double>(warps_.resident(), warps_.perSm()) *
      linesInIteration(kernel_, costs_, loop, [&](unsigned i) {
        const double warps = warps_.perBlock();
        const bool isShared = warps > 1 && addressOf(i, first_.first) ==
                                               addressOf(i, first_.neighbour);
        return inL2_[i] / (isShared && !costs_.costs[i].isGather() ? warps : 1);
      });
  double together = isLoadedAhead(kernel_, costs_, loop)
                        ? togetherIn(kernel_, frequencies_, loop)
                        : 1;
  // Of copies of copies each four begin by themselves.
  if (!kernel_.loops[loop].tripCount)
    together = std::min(together,
                        loadedTogether(frequencies_.trips(loop).count, false));
  Lost lost;
  lost.byL1 = lostLines(lines) / together;
  if (lines * lineBytes * warps_.smsUsed() > cachedInL2)
    lost.byL2 = lost.byL1;
  return lost_[loop] = lost;
}

void ReuseReader::follow(double step, double times, const Lost &lost,
                         bool isLoad, RequestReuse &reuse) {
  auto isNew = [&](double size, double again) {
    const double first = std::max(step / size, 1 / times);
    return first + (1 - first) * again;
  };
  if (step < sectorBytes) {
    if (isLoad)
      reuse.sectors *= isNew(sectorBytes, lost.byL1);
    reuse.isFilled |= step > 0;
  }
  if (step < dramBytes)
    reuse.dramSectors *= isNew(dramBytes, lost.byL2);
}

/// The iteration before may have touched the same sectors.
void ReuseReader::followLoop(unsigned i, RequestReuse &reuse) {
  const Access &access = kernel_.accesses[i];
  const bool isLoad = access.operation == Operation::Load;
  if (access.loops.empty())
    return;
  const LoopId loop = access.loops.back();
  const std::optional<double> step = addressStep(i, loop);
  if (!step)
    return;
  follow(*step, frequencies_.trips(loop).count,
         *step == 0 || !isLoad ? Lost() : lostIn(loop), isLoad, reuse);
  reuse.misses = reuse.sectors;
  reuse.dramMisses = reuse.dramSectors;
  if (isLoad && *step > 0 && *step < sectorBytes && reuse.sectors < 1) {
    auto least = [&](unsigned size) {
      return iterationsWithNew(costs_.costs[i], access.bytes, *step, size);
    };
    reuse.misses = std::max(reuse.misses, least(sectorBytes));
    reuse.dramMisses = std::max(reuse.dramMisses, least(dramBytes));
  }
  reuse.begins = reuse.misses;
  reuse.dramBegins = reuse.dramMisses;
}

/// The block's other warps may touch the same sectors. Those that load the same
/// wait for it together: the misses stay.
void ReuseReader::followWarps(unsigned i, uint64_t here, RequestReuse &reuse) {
  const Access &access = kernel_.accesses[i];
  const Cost &cost = costs_.costs[i];
  const bool isLoad = access.operation == Operation::Load;
  const double warps = warps_.perBlock();
  const std::optional<double> step =
      warps > 1 ? distance(here, addressOf(i, first_.neighbour)) : std::nullopt;
  if (!step)
    return;
  if (*step < sectorBytes)
    return follow(*step, warps, Lost(), isLoad, reuse);
  for (auto &[warp, count] : first_.far)
    if (const auto far = distance(here, addressOf(i, warp));
        far && *far < sectorBytes &&
        (warp.may(access.guard, {}) & cost.active) == cost.active)
      follow(*far, count, Lost(), isLoad, reuse);
  // A request that begins inside a sector shares its last one with the next
  // warp's.
  const LaneValues &next = first_.neighbour.evaluate(access.address, {});
  auto left = [&](unsigned size) {
    const double least = 1.0 / warps;
    return std::max(least, 1 - (1 - least) *
                                   overlapOf(cost, next, access.bytes, size));
  };
  if (isLoad)
    reuse.sectors *= left(sectorBytes);
  reuse.dramSectors *= left(dramBytes);
}

/// L2 joins what blocks side by side move, and keeps for them what one has
/// loaded.
void ReuseReader::followBlocks(unsigned i, uint64_t here, RequestReuse &reuse) {
  const double part = partOfNextBlock(here, addressOf(i, first_.nextBlock));
  reuse.dramSectors *= part;
  reuse.isFilled |= part < double(sectorBytes) / dramBytes;
  if (kernel_.accesses[i].operation == Operation::Load) {
    const double blocks = blocksThatLoadTheSame(kernel_.accesses[i]);
    reuse.dramSectors /= blocks;
    reuse.dramMisses /= blocks;
  }
  limitBySpan(i, reuse);
}

/// Of an access whose address is known.
RequestReuse ReuseReader::ofAddress(unsigned i) {
  RequestReuse reuse;
  if (kernel_.accesses[i].isVolatile)
    return reuse;
  if (const auto here = addressOf(i, first_.first)) {
    followLoop(i, reuse);
    followWarps(i, *here, reuse);
    followBlocks(i, *here, reuse);
  }
  return reuse;
}

/// The share of a request's DRAM traffic that the next block does not move as
/// well: blocks narrower than 64 bytes run at the same time, and L2 joins them.
double ReuseReader::partOfNextBlock(std::optional<uint64_t> here,
                                    std::optional<uint64_t> next) const {
  const auto step = distance(here, next);
  return step.value_or(0) == 0
             ? 1
             : std::clamp(*step / dramBytes, 1 / blocksAlong(0), 1.0);
}

/// The launch moves no more to and from DRAM than its accesses span, or than
/// there is of an argument's memory, if L2 keeps that: also of stores that fill
/// their sectors long after each other (H200, 4 million words of 16 MB, 2,800
/// bytes from lane to lane: 59 us, and 130 if DRAM had moved each sector).
void ReuseReader::limitBySpan(unsigned i, RequestReuse &reuse) {
  const Access &access = kernel_.accesses[i];
  std::optional<double> span =
      spanOf(kernel_, costs_.shape, access, frequencies_);
  const auto object = onlyObject(kernel_, access.address);
  if (const double all = object ? kernel_.objects[*object].allocated : 0)
    span = std::min(span.value_or(all), all);
  if (!span || *span > cachedInL2)
    return;
  spans_[i] = *span;
  const double moved =
      dramSectorsTouched(costs_.costs[i].addresses, costs_.costs[i].active,
                         access.bytes) *
      sectorBytes * requestsOfAll(i);
  const double stored =
      costs_.costs[i].lanesOrAll() * access.bytes * requestsOfAll(i);
  reuse.isFilled |= access.operation == Operation::Store && stored >= *span;
  if (moved * reuse.dramSectors <= *span)
    return;
  reuse.dramMisses *= *span / (moved * reuse.dramSectors);
  reuse.dramSectors = *span / moved;
}

double ReuseReader::requestsOfAll(unsigned i) const {
  const Access &access = kernel_.accesses[i];
  return warps_.all() * frequencies_.of(access.loops, access.guard).perWarp;
}

/// Returns true if the kernel may write what it loads.
bool ReuseReader::isStored(unsigned load) const {
  return llvm::any_of(kernel_.accesses, [&](const Access &other) {
    return other.operation != Operation::Load && mayBeGlobal(other.space) &&
           other.object == kernel_.accesses[load].object;
  });
}

/// Each SM loads no more from L2 than its loads span, if L1 keeps that until
/// the next block comes: a table, or what all blocks read (H200: 1,024 blocks
/// that each read the same 8 KB load it once for each of 132 SMs). What the
/// resident warps load besides flows through L1 meanwhile.
void ReuseReader::limitInL1(std::vector<RequestReuse> &reuse) const {
  const double together =
      std::min(warps_.resident(), warps_.perSm()) / warps_.all();
  std::vector<double> moved(reuse.size()); // bytes, by all SMs
  double held = 0;
  for (unsigned i = 0; i < reuse.size(); ++i) {
    const Access &access = kernel_.accesses[i];
    const Cost &cost = costs_.costs[i];
    if (access.operation != Operation::Load || access.need == Need::Never ||
        !mayBeGlobal(cost.space))
      continue;
    const double sectors =
        cost.basis == Basis::Unknown ? cost.lanesOrAll() : cost.sectors;
    moved[i] = sectors * sectorBytes * reuse[i].sectors * requestsOfAll(i);
    const double flows = moved[i] * together;
    held += spans_[i] ? std::min(spans_[i], flows) : flows;
  }
  if (held > cachedInL1)
    return;
  for (unsigned i = 0; i < reuse.size(); ++i) {
    const double all = spans_[i] * warps_.smsUsed();
    if (!all || moved[i] <= all || isStored(i))
      continue;
    reuse[i].sectors *= all / moved[i];
    reuse[i].misses *= all / moved[i];
  }
}

/// L2 keeps for the other blocks what one has loaded.
double ReuseReader::blocksThatLoadTheSame(const Access &access) const {
  const double all = warps_.blocks();
  double same = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (isUsed_[dimension] &&
        !dependsOnBlock(kernel_.graph, access.address, dimension))
      same *= blocksAlong(dimension);
  return std::clamp(same, 1.0, std::max(1.0, all));
}

double ReuseReader::blocksAlong(unsigned dimension) const {
  double most = 0;
  for (const Launched &launch : costs_.shape.launches)
    most = std::max(most, double(launch.grid[dimension].value_or(0)));
  if (most)
    return most;
  const unsigned used = llvm::count(isUsed_, true);
  return std::pow(warps_.blocks(), 1.0 / std::max(1u, used));
}

/// The outer loops may find in a cache what they touched before, and other
/// loads of a stencil what one of them has loaded.
void ReuseReader::addOuterLoops(std::vector<RequestReuse> &reuse) {
  std::vector<double> isNew;
  for (const RequestReuse &one : reuse)
    isNew.push_back(one.sectors);
  auto stepOf = [&](unsigned i, LoopId loop) { return addressStep(i, loop); };
  const std::vector<OuterReuse> outer =
      outerReuse(kernel_, costs_, frequencies_, isNew, stepOf,
                 std::min(warps_.resident(), warps_.perSm()), warps_.smsUsed());
  const std::vector<bool> isServed =
      loadedByAnother(kernel_, costs_, first_.evaluation, first_.first);
  const std::vector<OwnPart> own =
      ownParts(kernel_, costs_, first_.evaluation, first_.first, isServed);
  const std::vector<WindowReuse> window = windowReuse(
      kernel_, costs_, frequencies_, first_.evaluation, first_.first);
  for (unsigned i = 0; i < reuse.size(); ++i) {
    if (isServed[i])
      reuse[i].dramSectors = reuse[i].dramMisses = 0;
    const double inL2 = window[i].inL2 / outer[i].inL2;
    reuse[i].sectors *= window[i].inL1 / outer[i].inL1;
    // Warps that load a row together wait for it together.
    reuse[i].misses /= outer[i].inL1;
    reuse[i].dramSectors *= inL2;
    reuse[i].dramMisses *= inL2;
    reuse[i].own = own[i];
  }
}

std::vector<RequestReuse> ReuseReader::read() {
  const auto gathers = gatherCosts();
  const auto parts = gatheredRecords(kernel_, costs_.costs, frequencies_);
  for (const auto &gather : gathers)
    inL2_.push_back(gather ? gather->inL2 : 1);
  std::vector<RequestReuse> reuse;
  spans_.resize(gathers.size());
  for (unsigned i = 0; i < gathers.size() && !isOverdue(); ++i)
    reuse.push_back(gathers[i] ? ofGather(i, *gathers[i], parts[i])
                               : ofAddress(i));
  if (isOverdue())
    return reuse;
  addOuterLoops(reuse);
  limitInL1(reuse);
  return reuse;
}

} // namespace

std::vector<RequestReuse>
requestReuse(const Kernel &kernel, const ShapeCosts &costs,
             Frequencies &frequencies, const WarpsOnSms &warps,
             const Throughput &machine, FirstWarps &first) {
  return ReuseReader(kernel, costs, frequencies, warps, machine, first).read();
}

} // namespace warplint
