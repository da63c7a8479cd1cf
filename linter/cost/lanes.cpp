#include "cost/lanes.h"
#include "cost/address_roots.h"
#include "cost/block_shifts.h"
#include "cost/choices.h"
#include "cost/each_cost.h"
#include "cost/frequency.h"
#include "cost/joined_costs.h"
#include "cost/reached.h"
#include "cost/sampled_blocks.h"
#include "cost/unknown_reason.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace warplint {

const char *spelling(Basis basis) {
  switch (basis) {
  case Basis::Exact:
    return "exact";
  case Basis::Bounded:
    return "bounded";
  case Basis::Assumed:
    return "assumed";
  case Basis::Unknown:
    return "unknown";
  }
  return "";
}

namespace {

using Walk = ExpressionGraph::Walk;

/// The cost of a request in the unit of its space: ways, wavefronts or sectors.
unsigned figure(Space space, const LaneAddresses &addresses, uint32_t active,
                unsigned bytes) {
  return space == Space::Shared  ? conflictWays(addresses, active, bytes)
         : isConstantBank(space) ? distinctAddresses(addresses, active)
                                 : sectorsTouched(addresses, active, bytes);
}

/// The cost of one request of a warp.
struct Request {
  LaneAddresses addresses;
  uint32_t active = 0; ///< 0: no request yet
  Space space = Space::Unknown;
  /// The average of sectors over the blocks, and the fewest and most in one.
  double sectors = 0, fewest = 0, most = 0;
  unsigned ideal = 0, ways = 0, wavefronts = 0;
  unsigned trial = 0;

  /// The offset in bytes, if the same lanes all move by it.
  std::optional<uint64_t> movedTo(const LaneAddresses &to,
                                  uint32_t lanes) const {
    if (!active || lanes != active)
      return std::nullopt;
    const unsigned first = llvm::countr_zero(active);
    const uint64_t bytes = to[first] - addresses[first];
    for (unsigned lane = first; lane < warpSize; ++lane)
      if ((active >> lane & 1) && to[lane] - addresses[lane] != bytes)
        return std::nullopt;
    return bytes;
  }
};

/// The sums over the requests of one access in one trial.
struct Sum {
  double sectors = 0, ideal = 0, ways = 0, wavefronts = 0, lanes = 0;
  double fewest = 0, most = 0; ///< sectors in one block
  bool isWholeGrid = true;     ///< `sectors` is the average of a known grid
  double requests = 0;
  /// Of the sampled blocks, the cheapest and the costliest one on average.
  std::optional<std::pair<double, double>> range;
  double value(Space space) const { return figure(space, sectors); }
  double low(Space space) const {
    const double own = figure(space, fewest);
    return range ? std::min(range->first, own) : own;
  }
  double high(Space space) const {
    const double own = figure(space, most);
    return range ? std::max(range->second, own) : own;
  }
  void add(const Sum &other, double weight) {
    sectors += weight * other.sectors;
    ideal += weight * other.ideal;
    ways += weight * other.ways;
    wavefronts += weight * other.wavefronts;
    lanes += weight * other.lanes;
    fewest += weight * other.fewest;
    most += weight * other.most;
    requests += weight * other.requests;
    isWholeGrid &= other.isWholeGrid;
  }

private:
  double figure(Space space, double sectors) const {
    return (space == Space::Shared  ? ways
            : isConstantBank(space) ? wavefronts
                                    : sectors) /
           requests;
  }
};

class CostReader {
public:
  /// `asked`: the accesses whose costs are computed.
  CostReader(const Kernel &kernel, const KernelShape &shape,
             std::vector<unsigned> asked)
      : kernel_(kernel), shape_(shape.shape),
        isAssumed_(shape.source == ShapeSource::Assumed),
        launches_(shape.launches), evaluation_(kernel, launches_),
        costs_(kernel.accesses.size()), keptOut_(kernel.accesses.size()),
        least_(kernel.accesses.size()), mostWays_(kernel.accesses.size()),
        highWhole_(kernel.accesses.size()),
        hasOpenLanes_(kernel.accesses.size()),
        hasDataLanes_(kernel.accesses.size()),
        isUnguarded_(kernel.accesses.size()), shifts_(kernel.accesses.size()),
        ownShapes_(kernel.accesses.size()),
        requests_(kernel.accesses.size()), asked_(std::move(asked)),
        budget_(evaluation_.budget) {}

  /// Without what depends on several accesses.
  std::vector<Cost> readEach() {
    std::vector<std::vector<Sum>> sums;
    for (unsigned trial = 0; trial < smallSizes; ++trial)
      sums.push_back(runTrial(trial));
    const std::vector<Sum> large = unguarded(evaluation_, 0);
    std::vector<std::vector<Sum>> others{unguarded(evaluation_, smallSizes),
                                         unguarded(evaluation_, unitSizes)};
    const unsigned choices = mostChoices(choicesOf(kernel_.graph));
    for (unsigned i = 0; i < choices && !isOverdue(); ++i)
      others.push_back(unguarded(evaluation_, firstChoice + i));
    for (size_t i = smallSizes; i < launches_.size() && !isOverdue(); ++i) {
      Evaluation one(kernel_, launches_.slice(i, 1));
      others.push_back(unguarded(one, 0));
    }
    noteOpenLanes();
    for (size_t i : asked_) {
      finish(i, sums);
      for (const std::vector<Sum> &other : others)
        widenRange(i, large[i], other[i]);
      settleBasis(i);
    }
    return std::move(costs_);
  }

  /// True if the limit of evaluations is not near.
  bool isCheap() const { return evaluation_.budget > budget_ / 2; }

  /// True if objects were found behind loaded pointers: they are numbered in
  /// the order in which the accesses lead to them.
  bool hasFound() const { return evaluation_.ranges.hasFound(); }

private:
  std::vector<Sum> runTrial(unsigned trial) {
    std::vector<Sum> sums(kernel_.accesses.size());
    readShifts(evaluation_, trial);
    unsigned warps =
        std::min<uint64_t>(32, (shape_.threads() + warpSize - 1) / warpSize);
    for (unsigned block = 0; block < blocks(trial); ++block) {
      const Warp any(evaluation_, shape_, 0, block, trial);
      for (unsigned index = 0; index < warps; ++index) {
        Warp warp(any, index);
        for (size_t i : asked_)
          if (costs_[i].why.empty() && !isOverdue())
            runAccess(warp, i, trial, sums[i]);
      }
    }
    std::vector<size_t> unreached;
    for (size_t i : asked_)
      if (!sums[i].requests)
        unreached.push_back(i);
    runUnreached(unreached, warps, trial, sums);
    if (trial == 0)
      noteOwnShapes();
    for (size_t i : asked_)
      if (ownShapes_[i] && sums[i].requests && !isOverdue())
        sampleBlocks(i, warps, trial, sums[i]);
    return sums;
  }

  /// Notes the accesses whose lanes lie in another way to each other in some
  /// other block, as with a stride of `blockIdx.x`.
  void noteOwnShapes() {
    if (blocks(0) > 1)
      return;
    const BlockPlace grid = gridOf(0);
    Evaluation evaluation(kernel_, launches_);
    Warp here(evaluation, shape_, 0, 0, 0);
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      llvm::SmallVector<size_t> open;
      for (size_t i : asked_)
        if (kernel_.accesses[i].bytes && costs_[i].active &&
            (blockIndexesOf(i) >> dimension & 1))
          open.push_back(i);
      const uint64_t last = std::max<uint64_t>(grid[dimension], 1) - 1,
                     at = here.block()[dimension];
      if (open.empty() || !last || isOverdue())
        continue;
      for (uint64_t to : {at + 1, at + 2, at + 3, uint64_t(0), last / 2,
                          last / 2 + 1, last}) {
        BlockPlace place = here.block();
        place[dimension] = std::min(to, last);
        Warp there(here, place);
        for (size_t i : open)
          if (!ownShapes_[i] && !hasSameShape(here, there, i))
            ownShapes_[i] = blockIndexesOf(i);
      }
    }
  }

  bool hasSameShape(Warp &here, Warp &there, size_t i) {
    const Iterations first;
    const LaneValues &a = here.evaluate(kernel_.accesses[i].address, first),
                     &b = there.evaluate(kernel_.accesses[i].address, first);
    const uint32_t lanes = here.lanes();
    if ((a.unknown | b.unknown) & lanes)
      return true;
    const uint64_t bytes = b.value[0] - a.value[0];
    for (unsigned lane = 1; lane < warpSize; ++lane)
      if ((lanes >> lane & 1) && b.value[lane] - a.value[lane] != bytes)
        return false;
    return true;
  }

  static const Launched *launchOf(llvm::ArrayRef<Launched> launches,
                                  unsigned trial) {
    return launches.empty()       ? nullptr
           : trial >= firstChoice ? &launches[0]
                                  : &launches[trial % launches.size()];
  }
  const Launched *launch(unsigned trial) const {
    return launchOf(launches_, trial);
  }

  /// The blocks along x, y and z; of an unknown grid, many.
  BlockPlace gridOf(unsigned trial) const {
    constexpr uint64_t many = 1024;
    BlockPlace grid{many, many, many};
    if (const Launched *launch = this->launch(trial))
      for (unsigned dimension = 0; dimension < 3; ++dimension)
        grid[dimension] = launch->grid[dimension].value_or(many);
    return grid;
  }

  /// Replaces the figure of one block by the average of blocks all over the
  /// grid, or widens its range where the grid is unknown. The average is that
  /// of all blocks if all runs have it, as where blocks alternate.
  void sampleBlocks(size_t i, unsigned warps, unsigned trial, Sum &sum) {
    Evaluation evaluation(kernel_, launches_);
    evaluation.budget = sampling_;
    const bool isKnown = launch(trial) && launch(trial)->blocks();
    const Space space = costs_[i].space;
    shifts_[i] = BlockShifts();
    requests_[i] = Request();
    Sum all;
    llvm::SmallVector<Sum, 8> runs;
    std::vector<std::pair<double, BlockPlace>> figures;
    bool isWhole = isKnown;
    const Warp usual(evaluation, shape_, 0, 0, trial);
    for (const SampledBlock &block :
         sampledBlocks(gridOf(trial), ownShapes_[i], usual.block())) {
      Warp any(usual, block.place);
      if (isKnown)
        any.pin(block.place);
      Sum one;
      for (unsigned index = 0; index < warps; ++index) {
        Warp warp(any, index);
        runAccess(warp, i, trial, one);
        isWhole &= one.requests || !isAssumedGuard(warp, i);
      }
      if (!costs_[i].why.empty() || evaluation.budget < 0 || isOverdue()) {
        costs_[i].why.clear();
        costs_[i].cause.reset();
        isWhole = false;
        break;
      }
      if (!one.requests)
        continue;
      all.add(one, block.weight);
      runs.resize(std::max<size_t>(runs.size(), block.run + 1));
      runs[block.run].add(one, 1);
      figures.push_back({one.value(space), block.place});
    }
    requests_[i] = Request();
    sampling_ = evaluation.budget;
    if (figures.empty()) {
      sum.isWholeGrid = sum.isWholeGrid && sampling_ >= 0;
      return;
    }
    for (const Sum &run : runs)
      isWhole &= !run.requests ||
                 std::abs(run.value(space) - all.value(space)) < 1e-9;
    const auto [least, most] = std::minmax_element(figures.begin(),
                                                   figures.end());
    const std::pair<double, double> range{least->first, most->first};
    if (!isKnown) {
      sum.range = range;
      sum.isWholeGrid = false;
      return;
    }
    // Without the rounding of weights: a ratio may be exactly a threshold.
    sum = isWhole ? *llvm::find_if(
                        runs, [](const Sum &run) { return run.requests > 0; })
                  : all;
    sum.range = range;
    sum.isWholeGrid = isWhole;
    auto isNearer = [&](const auto &a, const auto &b) {
      return std::abs(a.first - all.value(space)) <
             std::abs(b.first - all.value(space));
    };
    if (trial == 0)
      showBlock(i, llvm::min_element(figures, isNearer)->second);
  }

  bool isAssumedGuard(Warp &warp, size_t i) {
    return warp.evaluate(kernel_.accesses[i].guard, Iterations()).assumed;
  }

  /// Takes the addresses of the access from this block, whose figure is the
  /// usual one.
  void showBlock(size_t i, const BlockPlace &place) {
    Warp warp(evaluation_, shape_, 0, 0, 0);
    warp.pin(place);
    const Access &access = kernel_.accesses[i];
    warp.forEachIteration(
        access.loops, access.guard, [&](const Iterations &iterations) {
          const uint32_t active = warp.may(access.guard, iterations);
          const LaneValues &address = warp.evaluate(access.address, iterations);
          if (active && !(address.unknown & active)) {
            costs_[i].addresses = address.value;
            costs_[i].active = active;
          }
          return !active;
        });
  }

  /// Evaluates accesses that probe values keep all threads of these blocks
  /// from. The remaining terms of the guard select the lanes.
  void runUnreached(llvm::ArrayRef<size_t> unreached, unsigned warps,
                    unsigned trial, std::vector<Sum> &sums) {
    if (unreached.empty())
      return;
    unreached_.insert(unreached_.end(), unreached.begin(), unreached.end());
    const Iterations first;
    const Warp any(evaluation_, shape_, 0, 0, trial);
    Warp anyDoubting(evaluation_, shape_, 0, 0, trial);
    anyDoubting.doubt();
    for (unsigned index = 0; index < warps; ++index) {
      Warp warp(any, index), doubting(anyDoubting, index);
      for (size_t i : unreached)
        if (uint32_t active = doubting.may(kernel_.accesses[i].guard, first);
            active && costs_[i].why.empty() && kernel_.accesses[i].bytes &&
            request(warp, i, trial, first, active, sums[i], costs_[i].why))
          noteDataInGuard(warp, doubting, active, i);
    }
    Warp warp(evaluation_, shape_, 0, 0, trial);
    for (size_t i : unreached)
      if (!sums[i].requests) {
        isUnguarded_[i] = true;
        sums[i] = unguarded(warp, i, trial, costs_[i].why);
      }
    if (!launches_.empty())
      countKeptOut(unreached, warps, trial);
  }

  /// Notes the accesses that no thread may reach even if no probe value decides
  /// a condition.
  void countKeptOut(llvm::ArrayRef<size_t> unreached, unsigned warps,
                    unsigned trial) {
    std::vector<bool> isOpen(costs_.size());
    for (unsigned block = 0; block < blocks(trial); ++block) {
      Warp any(evaluation_, shape_, 0, block, trial);
      any.doubt();
      for (unsigned index = 0; index < warps; ++index) {
        Warp doubting(any, index);
        for (size_t i : unreached)
          isOpen[i] = isOpen[i] || mayReach(doubting, kernel_.accesses[i]);
      }
    }
    for (size_t i : unreached)
      if (!isOpen[i])
        keptOut_[i] |= 1u << trial;
  }

  /// Ignores conditions that depend on an iteration: a later one may let
  /// threads through.
  bool mayReach(Warp &warp, const Access &access) {
    const Iterations first;
    auto mayHold = [&](ValueId condition) {
      return evaluation_.loopsOf(condition) || warp.may(condition, first);
    };
    return mayHold(access.guard) &&
           llvm::all_of(access.loops, [&](LoopId loop) {
             return mayHold(kernel_.loops[loop].enters);
           });
  }

  /// The blocks that are evaluated: all of a small grid, else one.
  static unsigned blocks(llvm::ArrayRef<Launched> launches, unsigned trial) {
    const Launched *launch = launchOf(launches, trial);
    const uint64_t all = launch ? launch->blocks().value_or(0) : 0;
    return all && all <= fewBlocks ? all : 1;
  }
  unsigned blocks(unsigned trial) const { return blocks(launches_, trial); }

  /// Reads how far other blocks place each access than the evaluated one.
  void readShifts(Evaluation &evaluation, unsigned trial) {
    std::fill(shifts_.begin(), shifts_.end(), BlockShifts());
    if (blocks(evaluation.launches, trial) > 1)
      return;
    const Launched *launch = launchOf(evaluation.launches, trial);
    Warp here(evaluation, shape_, 0, 0, trial);
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      const std::optional<uint64_t> grid =
          launch ? launch->grid[dimension] : std::nullopt;
      if (grid && *grid <= 1)
        continue;
      BlockPlace next = here.block(), last = next;
      ++next[dimension];
      last[dimension] += 2;
      Warp atNext(here, next), atLast(here, last);
      for (size_t i : asked_)
        if (dependsOnBlock(i, dimension) && !isOverdue())
          if (auto step = shiftBetween(here, atNext, i);
              step && *step && step == shiftBetween(atNext, atLast, i))
            shifts_[i] =
                shifted(shifts_[i], *step, grid, here.block()[dimension]);
    }
  }

  /// The bytes, modulo a sector, that all lanes move by from one block to
  /// another; none if they do not move alike.
  std::optional<unsigned> shiftBetween(Warp &from, Warp &to, size_t i) {
    const Access &access = kernel_.accesses[i];
    const Iterations first;
    const LaneValues &a = from.evaluate(access.address, first),
                     &b = to.evaluate(access.address, first);
    const uint32_t lanes = from.lanes();
    if ((a.unknown | b.unknown) & lanes)
      return std::nullopt;
    const uint64_t bytes = b.value[0] - a.value[0];
    for (unsigned lane = 1; lane < warpSize; ++lane)
      if ((lanes >> lane & 1) &&
          (b.value[lane] - a.value[lane] - bytes) % sectorBytes)
        return std::nullopt;
    return bytes % sectorBytes;
  }

  /// Expects an access to global memory: each block has shared memory of its
  /// own.
  bool dependsOnBlock(size_t i, unsigned dimension) {
    const Access &access = kernel_.accesses[i];
    return access.bytes && access.space != Space::Shared &&
           (blockIndexesOf(i) >> dimension & 1);
  }

  /// The dimensions of the grid that the address depends on, as bits.
  uint8_t blockIndexesOf(size_t i) {
    if (blockIndexes_.empty())
      readBlockIndexes();
    return blockIndexes_[kernel_.accesses[i].address];
  }

  /// Operands come before their nodes, except in loops.
  void readBlockIndexes() {
    const ExpressionGraph &graph = kernel_.graph;
    blockIndexes_.resize(graph.size());
    for (bool isChanged = true; isChanged && !isOverdue();) {
      isChanged = false;
      for (ValueId id = 0; id < graph.size(); ++id) {
        uint8_t bits = blockIndexes_[id];
        if (graph.node(id).op == Op::BlockIndex)
          bits |= 1u << graph.node(id).number;
        for (ValueId operand : graph.operands(id))
          bits |= blockIndexes_[operand];
        isChanged |= bits != blockIndexes_[id];
        blockIndexes_[id] = bits;
      }
    }
  }

  /// The first iterations of the first warp without their guards: with small
  /// sizes, guards leave too few lanes to compare.
  std::vector<Sum> unguarded(Evaluation &evaluation, unsigned trial) {
    readShifts(evaluation, trial);
    Warp warp(evaluation, shape_, 0, 0, trial);
    // Blocks are compared by `sampleBlocks` where they differ.
    Warp usual(warp, Warp(evaluation, shape_, 0, 0, 0).block());
    std::vector<Sum> sums(costs_.size());
    for (size_t i : asked_) {
      std::string ignored; // unknowns in lanes that a guard excludes
      sums[i] = unguarded(ownShapes_[i] ? usual : warp, i, trial, ignored);
    }
    return sums;
  }

  Sum unguarded(Warp &warp, size_t i, unsigned trial, std::string &why) {
    Sum sum;
    // An option may be what keeps threads from the access.
    if (trial >= firstChoice &&
        !warp.may(kernel_.accesses[i].guard, Iterations()))
      return sum;
    if (costs_[i].why.empty() && kernel_.accesses[i].bytes)
      request(warp, i, trial, Iterations(), warp.lanes(), sum, why);
    return sum;
  }

  void runAccess(Warp &warp, size_t i, unsigned trial, Sum &sum) {
    const Access &access = kernel_.accesses[i];
    if (access.bytes == 0) {
      costs_[i].why = "how the compiler copies";
      return;
    }
    auto visit = [&](const Iterations &iterations) {
      uint32_t active = warp.may(access.guard, iterations);
      return !active ||
             request(warp, i, trial, iterations, active, sum, costs_[i].why);
    };
    if (warp.forEachIteration(access.loops, access.guard, visit))
      hasOpenLanes_[i] = true;
  }

  /// Returns false and sets `why` if the address is unknown.
  bool request(Warp &warp, size_t i, unsigned trial,
               const Iterations &iterations, uint32_t active, Sum &sum,
               std::string &why) {
    const Access &access = kernel_.accesses[i];
    Cost &cost = costs_[i];
    const LaneValues &guard = warp.evaluate(access.guard, iterations);
    const LaneValues &address = warp.evaluate(access.address, iterations);
    if (address.unknown & active) {
      why = unknownReason(kernel_, address.why);
      cost.cause = address.why;
      cost.lanes = llvm::popcount(active);
      return false;
    }
    unsigned first = llvm::countr_zero(active);
    const Object *object = warp.objectAt(address.value[first]);
    if (isAssumed_ && !address.assumed) {
      const uint32_t inside =
          lanesInside(object, address.value, active, access.bytes);
      if (inside != active && llvm::popcount(inside) < fewLanes) {
        if (sum.requests)
          return true; // the block has fewer warps
        why = "no launch shows the block's shape, and lanes of one of " +
              shape_.text() + " would leave '" + object->name + "'";
        return false;
      }
      active = inside;
      first = llvm::countr_zero(active);
    }
    if (!cost.active && trial == 0) {
      cost.addresses = address.value;
      cost.active = active;
      cost.object = object ? object->name : "";
      cost.space = access.space != Space::Unknown ? access.space
                   : object                       ? object->space
                                                  : Space::Unknown;
    }
    if (!guard.isUniform())
      noteChosenLanes(guard, address.value, active, i);
    const Request &request = figuresOf(address.value, active, i, trial);
    sum.sectors += request.sectors;
    sum.fewest += request.fewest;
    sum.most += request.most;
    sum.isWholeGrid &= shifts_[i].isWholeGrid;
    sum.ideal += request.ideal;
    sum.ways += std::min(request.ways, mostWays(i));
    sum.wavefronts += request.wavefronts;
    sum.lanes += llvm::popcount(active);
    ++sum.requests;
    return true;
  }

  /// The words of an array in shared memory that lie in one bank: sizes that
  /// are taken to be large may lead past its end.
  unsigned mostWays(size_t i) {
    if (mostWays_[i])
      return mostWays_[i];
    mostWays_[i] = warpSize;
    if (const auto id = onlyObject(kernel_, kernel_.accesses[i].address))
      if (const Object &object = kernel_.objects[*id];
          object.space == Space::Shared && object.bytes)
        mostWays_[i] = llvm::divideCeil(object.bytes, banks * wordBytes);
    return mostWays_[i];
  }

  /// A row of a tile that fewer lanes fill is not along threadIdx.x.
  static constexpr int fewLanes = 8;

  /// The lanes that access what is in the array in shared memory: a block of
  /// another shape has no others.
  static uint32_t lanesInside(const Object *object,
                              const LaneAddresses &addresses, uint32_t active,
                              unsigned bytes) {
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

  /// Reuses the last request's figures: most requests of a loop are the last
  /// one at an offset.
  const Request &figuresOf(const LaneAddresses &addresses, uint32_t active,
                           size_t i, unsigned trial) {
    const unsigned bytes = kernel_.accesses[i].bytes;
    const Space space = costs_[i].space;
    Request &last = requests_[i];
    const auto moved = last.space == space && last.trial == trial
                           ? last.movedTo(addresses, active)
                           : std::nullopt;
    if (!moved || *moved % sectorBytes)
      countSectors(addresses, active, bytes, shifts_[i], last);
    if (!moved || *moved % wordBytes)
      last.ways =
          space == Space::Shared ? conflictWays(addresses, active, bytes) : 0;
    if (!moved) {
      Touched touched;
      touched.add(addresses, active, bytes);
      last.ideal = touched.idealSectors();
      last.wavefronts =
          isConstantBank(space) ? distinctAddresses(addresses, active) : 0;
    }
    last.addresses = addresses;
    last.active = active;
    last.space = space;
    last.trial = trial;
    return last;
  }

  static void countSectors(const LaneAddresses &addresses, uint32_t active,
                           unsigned bytes, const BlockShifts &shifts,
                           Request &request) {
    request.sectors = request.fewest = request.most =
        sectorsTouched(addresses, active, bytes);
    if (!shifts.any())
      return;
    request.fewest = warpSize * bytes;
    request.sectors = request.most = 0;
    for (unsigned shift = 0; shift < sectorBytes; ++shift) {
      if (!shifts.share[shift])
        continue;
      LaneAddresses moved = addresses;
      for (uint64_t &address : moved)
        address += shift;
      const double sectors = sectorsTouched(moved, active, bytes);
      request.sectors += shifts.share[shift] * sectors;
      request.fewest = std::min(request.fewest, sectors);
      request.most = std::max(request.most, sectors);
    }
  }

  /// Notes if data select some of the counted lanes.
  void noteChosenLanes(const LaneValues &guard, const LaneAddresses &addresses,
                       uint32_t active, size_t i) {
    Cost &cost = costs_[i];
    const uint32_t sure = active & ~guard.unknown;
    if (!cost.chosenBy.empty() || sure == active)
      return;
    const unsigned bytes = kernel_.accesses[i].bytes;
    const unsigned least =
        sure ? figure(cost.space, addresses, sure, bytes) : 1;
    if (least < figure(cost.space, addresses, active, bytes)) {
      cost.chosenBy = unknownReason(kernel_, guard.why);
      least_[i] = least;
    }
  }

  /// Does the same if probe values decide the guard, such as a flag in it:
  /// `warp` uses them and shows which term of the guard differs from lane to
  /// lane; `doubting` does not and shows if that term matters.
  void noteDataInGuard(Warp &warp, Warp &doubting, uint32_t active, size_t i) {
    const Access &access = kernel_.accesses[i];
    const Iterations first;
    LaneValues guard = doubting.evaluate(access.guard, first);
    if (guard.isUniform()) // a guard of thousands of terms is not searched
      return;
    const std::optional<ValueId> why = dataIn(warp, access.guard, active);
    if (!why)
      return;
    guard.why = *why;
    noteChosenLanes(guard, warp.evaluate(access.address, first).value, active,
                    i);
  }

  /// Returns the term of a condition that data make differ among the active
  /// lanes, whatever the terms that it is combined with.
  std::optional<ValueId> dataIn(Warp &warp, ValueId condition,
                                uint32_t active) {
    const ExpressionGraph &graph = kernel_.graph;
    const Iterations first;
    std::optional<ValueId> why;
    graph.walk(condition, [&](ValueId id) {
      if (id != condition && graph.node(id).bits != 1)
        return Walk::Past;
      const LaneValues &holds = warp.evaluate(id, first);
      if (!(holds.unknown & active) || holds.isUniform())
        return Walk::Into;
      why = holds.why;
      return Walk::Stop;
    });
    return why;
  }

  /// Notes the accesses of which conditions may leave some lanes and not
  /// others: on data, or on sizes and blocks, as `i < n` at the end of the
  /// data.
  void noteOpenLanes() {
    Warp plain(evaluation_, shape_, 0, 0, 0),
        doubting(evaluation_, shape_, 0, 0, 0);
    doubting.doubt();
    for (size_t i : asked_) {
      if (isOverdue())
        break;
      const Access &access = kernel_.accesses[i];
      llvm::SmallVector<ValueId, 4> conditions{access.guard};
      for (LoopId loop : access.loops)
        llvm::append_values(conditions, kernel_.loops[loop].enters,
                            kernel_.loops[loop].continues);
      for (ValueId condition : conditions) {
        hasOpenLanes_[i] = hasOpenLanes_[i] || hasOpenTerm(plain, condition);
        hasDataLanes_[i] = hasDataLanes_[i] || hasDataTerm(doubting, condition);
      }
    }
  }

  /// True if a comparison of a value that differs between lanes depends on
  /// probe values.
  bool hasOpenTerm(Warp &warp, ValueId condition) {
    const ExpressionGraph &graph = kernel_.graph;
    const Iterations first;
    return !graph.walk(condition, [&](ValueId id) {
      if (graph.node(id).bits != 1)
        return Walk::Past;
      if (!isComparison(graph.node(id).op))
        return Walk::Into;
      return warp.evaluate(id, first).assumed &&
                     llvm::any_of(
                         graph.operands(id),
                         [&](ValueId operand) {
                           return !warp.evaluate(operand, first).isUniform();
                         })
                 ? Walk::Stop
                 : Walk::Past;
    });
  }

  /// True if lanes of the warp go different ways for a reason that is unknown.
  bool hasDataTerm(Warp &doubting, ValueId condition) {
    const Iterations first;
    return !kernel_.graph.walk(condition, [&](ValueId id) {
      if (kernel_.graph.node(id).op == Op::And)
        return Walk::Into;
      const LaneValues &holds = doubting.evaluate(id, first);
      return (holds.unknown & doubting.lanes()) && !holds.isUniform()
                 ? Walk::Stop
                 : Walk::Past;
    });
  }

  /// The figure of the cheapest lane of the first request.
  double ofOneLane(size_t i) const {
    const Cost &cost = costs_[i];
    double least = warpSize * sectorBytes;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (cost.active >> lane & 1)
        least = std::min<double>(least,
                                 figure(cost.space, cost.addresses, 1u << lane,
                                        kernel_.accesses[i].bytes));
    return least;
  }

  /// Adds the figure of other sizes to the range, if they matter.
  void widenRange(size_t i, const Sum &large, const Sum &other) {
    Cost &cost = costs_[i];
    if (!cost.high || !other.requests || !large.requests ||
        other.value(cost.space) == large.value(cost.space))
      return;
    cost.low = std::min(cost.low, other.low(cost.space));
    cost.lowWhole = std::min(cost.lowWhole, other.low(cost.space));
    cost.high = std::max(cost.high, other.high(cost.space));
    highWhole_[i] = std::max(highWhole_[i], other.high(cost.space));
  }

  /// Exact if no probe value changes the figure of a warp whose lanes all take
  /// part, also if the probe values keep all threads from it. Of one address
  /// for all lanes, any lanes give that figure. Bounded if it changes by one
  /// sector.
  void settleBasis(size_t i) {
    Cost &cost = costs_[i];
    if (!cost.high)
      return;
    const bool isSettled = !llvm::is_contained(unreached_, i) ||
                           (!hasDataLanes_[i] && !isUnguarded_[i]) ||
                           highWhole_[i] <= ofOneLane(i);
    const double range = highWhole_[i] - cost.lowWhole;
    const bool isInSectors =
        cost.space != Space::Shared && !isConstantBank(cost.space);
    cost.basis = !isSettled                         ? Basis::Assumed
                 : range < 1e-9                     ? Basis::Exact
                 : isInSectors && range <= 1 + 1e-9 ? Basis::Bounded
                                                    : Basis::Assumed;
    if (hasOpenLanes_[i])
      cost.low = std::min(cost.low, ofOneLane(i));
    // Compare-and-swap loops repeat where lanes meet at one address.
    if (const Access &access = kernel_.accesses[i];
        access.operation == Operation::Atomic && !access.isNativeAtomic &&
        cost.space == Space::Shared)
      cost.high = std::max(cost.high, cost.lanes);
  }

  void finish(size_t i, const std::vector<std::vector<Sum>> &sums) {
    Cost &cost = costs_[i];
    const Access &access = kernel_.accesses[i];
    if (cost.space == Space::Unknown)
      cost.space = access.space;
    if (cost.space == Space::Unknown)
      cost.space = spaceOfBases(kernel_, access.address);
    // Each trial uses another launch; ignore launches that exclude the access.
    constexpr unsigned all = (1u << smallSizes) - 1;
    const unsigned without = keptOut_[i] == all ? 0 : keptOut_[i];
    const Sum &usual = sums[llvm::countr_one(without)][i];
    if (!cost.why.empty() || !usual.requests)
      return;
    cost.cause.reset();
    cost.sectors = usual.sectors / usual.requests;
    cost.idealSectors = usual.ideal / usual.requests;
    cost.ways = usual.ways / usual.requests;
    cost.wavefronts = usual.wavefronts / usual.requests;
    cost.lanes = usual.lanes / usual.requests;
    cost.low = usual.low(cost.space);
    cost.high = usual.high(cost.space);
    cost.lowWhole = highWhole_[i] = usual.value(cost.space);
    for (unsigned trial = 0; trial < sums.size(); ++trial)
      if (const Sum &sum = sums[trial][i];
          sum.requests && !(without >> trial & 1)) {
        const double low = sum.low(cost.space), high = sum.high(cost.space),
                     value = sum.value(cost.space);
        cost.low = std::min(cost.low, low);
        cost.high = std::max(cost.high, high);
        cost.lowWhole = std::min(cost.lowWhole, sum.isWholeGrid ? value : low);
        highWhole_[i] = std::max(highWhole_[i], sum.isWholeGrid ? value : high);
      }
    if (!cost.chosenBy.empty()) {
      cost.low = std::min<double>(cost.low, least_[i]);
      cost.lowWhole = std::min<double>(cost.lowWhole, least_[i]);
    }
    cost.isKeptOut = keptOut_[i] == all && launches_.size() <= smallSizes;
  }

  const Kernel &kernel_;
  Shape shape_;
  const bool isAssumed_; ///< no launch shows it
  llvm::ArrayRef<Launched> launches_;
  Evaluation evaluation_;
  std::vector<Cost> costs_;
  std::vector<size_t> unreached_;
  std::vector<unsigned>
      keptOut_; ///< by access: trials that do without, as bits
  std::vector<unsigned>
      least_; ///< by access: its figure if data choose the fewest lanes
  std::vector<unsigned> mostWays_;    ///< by access; 0: not asked for
  std::vector<double> highWhole_;     ///< by access: `high` of a whole grid
  std::vector<bool> hasOpenLanes_;    ///< by access: conditions may leave some
  std::vector<bool> hasDataLanes_;    ///< by access: for an unknown reason
  std::vector<bool> isUnguarded_;     ///< by access: its guard was ignored
  std::vector<uint8_t> blockIndexes_; ///< by node: dimensions, as bits
  std::vector<BlockShifts> shifts_;   ///< by access
  std::vector<uint8_t> ownShapes_; ///< by access, if blocks' lanes lie in other
                                   ///< ways: dimensions of the grid, as bits
  std::vector<Request> requests_;     ///< by access, the last
  const std::vector<unsigned> asked_; ///< accesses
  const long budget_;                 ///< of all evaluations
  /// Evaluations that are left for the sampled blocks of all accesses; those at
  /// first take two seconds.
  long sampling_ = 2'000'000;
};

} // namespace

std::vector<unsigned> allAccesses(const Kernel &kernel) {
  std::vector<unsigned> all(kernel.accesses.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

EachCost costsOfEach(const Kernel &kernel, const KernelShape &shape,
                     std::vector<unsigned> asked) {
  CostReader reader(kernel, shape, std::move(asked));
  std::vector<Cost> costs = reader.readEach();
  return {std::move(costs), reader.isCheap(), reader.hasFound()};
}

std::vector<Cost> costs(const Kernel &kernel, const KernelShape &shape) {
  return joined(kernel, shape.shape,
                costsOfEach(kernel, shape, allAccesses(kernel)).costs);
}

std::vector<Cost> costs(const Kernel &kernel, Shape shape) {
  return costs(kernel, KernelShape{shape, ShapeSource::Option, {}, {}});
}

namespace {

/// By access, what its first request costs in a launch; 0 if it is unknown.
std::vector<double> costsOfRequests(const Kernel &kernel, Shape shape,
                                    const Launched &launch) {
  const Iterations first;
  Evaluation evaluation(kernel, launch);
  Warp warp(evaluation, shape, 0, 0, 0);
  std::vector<double> costs;
  for (const Access &access : kernel.accesses) {
    const LaneValues &address = warp.evaluate(access.address, first);
    double &cost = costs.emplace_back();
    if (!access.bytes || (address.unknown & warp.lanes()))
      continue;
    cost = figure(access.space, address.value, warp.lanes(), access.bytes);
    // Atomics on one address wait for each other.
    if (access.operation == Operation::Atomic)
      cost += warpSize -
              std::set<uint64_t>(address.value.begin(), address.value.end())
                  .size();
  }
  return costs;
}

/// By access, the requests of all warps of a launch whose grid is known.
std::vector<double> requestsOf(const Kernel &kernel, Shape shape,
                               const Launched &launch) {
  const KernelShape alone{
      shape, ShapeSource::Launch, launch.place, {launch}, {}, {},
      {*launch.blocks()}};
  Frequencies frequencies(kernel, alone);
  std::vector<double> requests;
  for (const Access &access : kernel.accesses)
    requests.push_back(frequencies.of(access.loops, access.guard).perWarp *
                       frequencies.warps().value_or(1));
  return requests;
}

double total(llvm::ArrayRef<double> costs, llvm::ArrayRef<double> requests) {
  return std::inner_product(costs.begin(), costs.end(), requests.begin(), 0.0);
}

} // namespace

std::vector<Launched> costliestFirst(const Kernel &kernel, Shape shape,
                                     std::vector<Launched> launches) {
  if (launches.size() < 2)
    return launches;
  std::vector<std::vector<double>> costs;
  std::vector<double> sums, largest(kernel.accesses.size(), 1);
  double most = 0;
  for (const Launched &launch : launches) {
    costs.push_back(costsOfRequests(kernel, shape, launch));
    sums.push_back(0);
    if (!launch.blocks())
      continue;
    std::vector<double> requests = requestsOf(kernel, shape, launch);
    sums.back() = total(costs.back(), requests);
    if (sums.back() > most) {
      most = sums.back();
      largest = std::move(requests);
    }
  }
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < launches.size(); ++i)
    order.push_back(
        {launches[i].blocks() ? sums[i] : total(costs[i], largest), i});
  llvm::stable_sort(
      order, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<Launched> sorted;
  for (const auto &[sum, i] : order)
    sorted.push_back(std::move(launches[i]));
  return sorted;
}

Footprint footprint(const Kernel &kernel, llvm::ArrayRef<Cost> costs,
                    llvm::ArrayRef<unsigned> accesses) {
  Touched touched;
  for (unsigned i : accesses)
    touched.add(costs[i].addresses, costs[i].active, kernel.accesses[i].bytes);
  return {touched.sectors(), touched.idealSectors()};
}

} // namespace warplint
