#include "cost/lanes.h"
#include "cost/address_roots.h"
#include "cost/block_average.h"
#include "cost/block_shifts.h"
#include "cost/choices.h"
#include "cost/cost_basis.h"
#include "cost/each_cost.h"
#include "cost/joined_costs.h"
#include "cost/open_lanes.h"
#include "cost/reached.h"
#include "cost/request_sums.h"
#include "cost/sampled_access.h"
#include "cost/sampled_blocks.h"
#include "cost/terms.h"
#include "cost/unknown_reason.h"
#include "model/argument_bytes.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>
#include <numeric>

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

/// Sets of nodes, by the active lanes of a warp.
using NodesByLanes = std::map<uint32_t, llvm::DenseSet<ValueId>>;

class CostReader {
public:
  /// `asked`: the accesses whose costs are computed.
  CostReader(const Kernel &kernel, const KernelShape &shape,
             std::vector<unsigned> asked)
      : kernel_(kernel), shape_(shape.shape),
        isAssumed_(shape.source == ShapeSource::Assumed),
        launches_(shape.launches), evaluation_(kernel, launches_),
        costs_(kernel.accesses.size()), notes_(kernel.accesses.size()),
        mostWays_(kernel.accesses.size()), shifts_(kernel.accesses.size()),
        ownShapes_(kernel.accesses.size()), counters_(kernel.accesses.size()),
        asked_(std::move(asked)), budget_(evaluation_.budget) {}

  /// Without what depends on several accesses.
  std::vector<Cost> readEach() {
    std::vector<std::vector<RequestSums>> sums;
    for (unsigned trial = 0; trial < smallSizes; ++trial)
      sums.push_back(runTrial(trial));
    const std::vector<RequestSums> large = unguarded(evaluation_, 0);
    std::vector<std::vector<RequestSums>> others{
        unguarded(evaluation_, smallSizes), unguarded(evaluation_, unitSizes)};
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
      for (const std::vector<RequestSums> &other : others)
        widenRange(large[i], other[i], notes_[i], costs_[i]);
      settleBasis(kernel_.accesses[i], notes_[i], costs_[i]);
    }
    return std::move(costs_);
  }

  /// True if the limit of evaluations is not near.
  bool isCheap() const { return evaluation_.budget > budget_ / 2; }

  /// True if objects were found behind loaded pointers: they are numbered in
  /// the order in which the accesses lead to them.
  bool hasFound() const { return evaluation_.ranges.hasFound(); }

private:
  std::vector<RequestSums> runTrial(unsigned trial) {
    std::vector<RequestSums> sums(kernel_.accesses.size());
    readShifts(evaluation_, trial);
    unsigned warps = std::min<uint64_t>(32, shape_.warps());
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
    std::map<SampledTogether, std::vector<size_t>> together;
    for (size_t i : asked_)
      if (ownShapes_[i] && sums[i].requests)
        together[{ownShapes_[i], dependsOnData(kernel_, kernel_.accesses[i])}]
            .push_back(i);
    for (const auto &[of, accesses] : together)
      if (!isOverdue())
        sampleBlocks(of, accesses, warps, trial, sums);
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

  const LaneValues &firstAddress(Warp &warp, size_t i) {
    return warp.evaluate(kernel_.accesses[i].address, Iterations());
  }
  bool hasSameShape(Warp &here, Warp &there, size_t i) {
    const LaneValues &a = firstAddress(here, i), &b = firstAddress(there, i);
    return haveSameShape(a, b, here.lanes());
  }
  std::optional<unsigned> shiftOf(Warp &from, Warp &to, size_t i) {
    const LaneValues &a = firstAddress(from, i), &b = firstAddress(to, i);
    return shiftBetween(a, b, from.lanes());
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

  /// What the blocks gave without probe values: the same in each trial of a
  /// launch.
  struct Probeless {
    const Launched *launch = nullptr;
    BlockPlace usual;
    std::vector<RequestSums> sums; ///< by access
  };

  /// Takes the figures of accesses from blocks all over the grid: they share
  /// what they have in common.
  void sampleBlocks(SampledTogether of, llvm::ArrayRef<size_t> accesses,
                    unsigned warps, unsigned trial,
                    std::vector<RequestSums> &sums) {
    const Warp usual(evaluation_, shape_, 0, 0, trial);
    Probeless &before = probeless_[of];
    if (before.launch && before.launch == launch(trial) &&
        before.usual == usual.block()) {
      for (size_t i : accesses)
        sums[i] = before.sums[i];
      return;
    }
    Evaluation evaluation(kernel_, launches_);
    evaluation.budget = sampling_;
    const bool isKnown = launch(trial) && launch(trial)->blocks();
    std::vector<SampledAccess> sampled;
    for (size_t i : accesses) {
      shifts_[i] = BlockShifts();
      counters_[i] = RequestCounter();
      sampled.push_back({i, BlockAverage(costs_[i].space), isKnown});
    }
    const Warp first(evaluation, shape_, 0, 0, trial);
    const std::vector<SampledBlock> blocks =
        sampledBlocks(gridOf(trial), of.dimensions, usual.block());
    long beyond = 0; // evaluations that are left for others
    bool usesProbes = true;
    const size_t most = isKnown ? blocks.size() : blocksOfOpenGrid;
    for (size_t done = 0;
         const SampledBlock &block : llvm::ArrayRef(blocks).take_front(most)) {
      if (done++ == firstBlocks &&
          (sampling_ - evaluation.budget) * long(blocks.size() / firstBlocks) >
              sampling_) {
        beyond = std::max(0l, evaluation.budget - sampledOfMany);
        evaluation.budget -= beyond;
      }
      Warp any(first, block.place);
      if (isKnown)
        any.pin(block.place);
      for (unsigned index = 0; index < warps; ++index) {
        Warp warp(any, index);
        for (SampledAccess &one : sampled)
          if (!one.isEnded)
            runSampled(warp, trial, one);
      }
      const bool isSpent = evaluation.budget < 0 || isOverdue();
      for (SampledAccess &one : sampled)
        one.endBlock(block, isSpent);
      if (isSpent)
        break;
      usesProbes = evaluation.usesProbes;
    }
    sampling_ = evaluation.budget + beyond;
    for (const SampledAccess &one : sampled)
      takeAverage(one, isKnown, trial, sums[one.access]);
    if (!usesProbes)
      before = {launch(trial), usual.block(), sums};
  }

  /// Blocks, one of each run, that show how many evaluations one takes. If all
  /// need more than are left, no average is that of the grid, and few blocks
  /// give one as good.
  static constexpr size_t firstBlocks = 8;
  static constexpr long sampledOfMany = 100'000; ///< evaluations
  /// They show a range: 12 neighbours of each run begin at each of the 8 words
  /// of a sector.
  static constexpr size_t blocksOfOpenGrid = 12 * firstBlocks;

  void runSampled(Warp &warp, unsigned trial, SampledAccess &one) {
    runAccess(warp, one.access, trial, one.block);
    one.isEnded = !costs_[one.access].why.empty();
    one.isWhole &= one.block.requests || !isAssumedGuard(warp, one.access);
  }

  void takeAverage(const SampledAccess &one, bool isKnown, unsigned trial,
                   RequestSums &sum) {
    Cost &cost = costs_[one.access];
    cost.why.clear();
    cost.cause.reset();
    counters_[one.access] = RequestCounter();
    if (one.average.isEmpty()) {
      sum.isWholeGrid = sum.isWholeGrid && sampling_ >= 0;
      return;
    }
    one.take(isKnown, sum);
    if (isKnown && trial == 0)
      showBlock(one.access, one.average.nearest());
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
            costs_[i].addresses = address.value.toArray();
            costs_[i].active = active;
          }
          return !active;
        });
  }

  /// Evaluates accesses that probe values keep all threads of these blocks
  /// from. The remaining terms of the guard select the lanes.
  void runUnreached(llvm::ArrayRef<size_t> unreached, unsigned warps,
                    unsigned trial, std::vector<RequestSums> &sums) {
    if (unreached.empty())
      return;
    for (size_t i : unreached)
      notes_[i].isUnreached = true;
    const Iterations first;
    const Warp any(evaluation_, shape_, 0, 0, trial);
    Warp anyDoubting(evaluation_, shape_, 0, 0, trial);
    anyDoubting.doubt();
    for (unsigned index = 0; index < warps; ++index) {
      Warp warp(any, index), doubting(anyDoubting, index);
      NodesByLanes without;
      for (size_t i : unreached)
        if (uint32_t active = doubting.may(kernel_.accesses[i].guard, first);
            active && costs_[i].why.empty() && kernel_.accesses[i].bytes &&
            request(warp, i, trial, first, active, sums[i], costs_[i].why))
          noteDataInGuard(warp, doubting, active, i, without);
    }
    Warp warp(evaluation_, shape_, 0, 0, trial);
    for (size_t i : unreached)
      if (!sums[i].requests) {
        notes_[i].isUnguarded = true;
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
    const Launched &launch = *launchOf(launches_, trial);
    for (size_t i : unreached)
      if (!isOpen[i] && !mayDiffer(launch, kernel_.accesses[i]))
        notes_[i].keptOut |= 1u << trial;
  }

  /// Returns true if conditions rest on an end of what a launch may pass, or on
  /// a block that no launch gives.
  bool mayDiffer(const Launched &launch, const Access &access) const {
    auto mayBeOther = [&](ValueId condition) {
      return restsOnEnd(launch, kernel_.graph, condition) ||
             (isAssumed_ &&
              dependsOn(kernel_.graph, condition, {Op::BlockSize}));
    };
    return mayBeOther(access.guard) ||
           llvm::any_of(access.loops, [&](LoopId loop) {
             return mayBeOther(kernel_.loops[loop].enters);
           });
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
          if (auto step = shiftOf(here, atNext, i);
              step && *step && step == shiftOf(atNext, atLast, i))
            shifts_[i] =
                shifted(shifts_[i], *step, grid, here.block()[dimension]);
    }
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
      blockIndexes_ = blockDimensions(kernel_.graph);
    return blockIndexes_[kernel_.accesses[i].address];
  }

  /// The first iterations of the first warp without their guards: with small
  /// sizes, guards leave too few lanes to compare.
  std::vector<RequestSums> unguarded(Evaluation &evaluation, unsigned trial) {
    readShifts(evaluation, trial);
    Warp warp(evaluation, shape_, 0, 0, trial);
    // Blocks are compared by `sampleBlocks` where they differ.
    Warp usual(warp, Warp(evaluation, shape_, 0, 0, 0).block());
    std::vector<RequestSums> sums(costs_.size());
    for (size_t i : asked_) {
      std::string ignored; // unknowns in lanes that a guard excludes
      sums[i] = unguarded(ownShapes_[i] ? usual : warp, i, trial, ignored);
    }
    return sums;
  }

  RequestSums unguarded(Warp &warp, size_t i, unsigned trial,
                        std::string &why) {
    RequestSums sum;
    // An option may be what keeps threads from the access.
    if (trial >= firstChoice &&
        !warp.may(kernel_.accesses[i].guard, Iterations()))
      return sum;
    if (costs_[i].why.empty() && kernel_.accesses[i].bytes)
      request(warp, i, trial, Iterations(), warp.lanes(), sum, why);
    return sum;
  }

  void runAccess(Warp &warp, size_t i, unsigned trial, RequestSums &sum) {
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
      notes_[i].hasOpenLanes = true;
  }

  /// Returns false and sets `why` if the address is unknown.
  bool request(Warp &warp, size_t i, unsigned trial,
               const Iterations &iterations, uint32_t active, RequestSums &sum,
               std::string &why) {
    const Access &access = kernel_.accesses[i];
    Cost &cost = costs_[i];
    const LaneValues &guard = warp.evaluate(access.guard, iterations);
    const LaneValues &address = warp.evaluate(access.address, iterations);
    if (address.unknown & active) {
      noteUnknown(address.why, active, cost, why);
      return false;
    }
    if (!sum.requests)
      if (const auto later =
              dataInNext(kernel_, warp, access, iterations, active)) {
        noteUnknown(*later, active, cost, why);
        return false;
      }
    unsigned first = llvm::countr_zero(active);
    const LaneAddresses addresses = address.value.toArray();
    const Object *object = warp.objectAt(addresses[first]);
    if (isAssumed_ && !address.assumed) {
      const uint32_t inside =
          lanesInside(object, addresses, active, access.bytes);
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
        addresses, active, cost.space, access.bytes, trial, shifts_[i]);
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

  void noteUnknown(ValueId cause, uint32_t active, Cost &cost,
                   std::string &why) {
    why = unknownReason(kernel_, cause);
    cost.cause = cause;
    cost.lanes = llvm::popcount(active);
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

  /// Notes if data select some of the counted lanes.
  void noteChosenLanes(const LaneValues &guard, const LaneAddresses &addresses,
                       uint32_t active, size_t i) {
    Cost &cost = costs_[i];
    const uint32_t sure = active & ~guard.unknown;
    if (!cost.chosenBy.empty() || sure == active)
      return;
    const unsigned bytes = kernel_.accesses[i].bytes;
    const unsigned least =
        sure ? figureOf(cost.space, addresses, sure, bytes) : 1;
    if (least < figureOf(cost.space, addresses, active, bytes)) {
      cost.chosenBy = unknownReason(kernel_, guard.why);
      notes_[i].least = least;
    }
  }

  /// Does the same if probe values decide the guard, such as a flag in it:
  /// `warp` uses them and shows which term of the guard differs from lane to
  /// lane; `doubting` does not and shows if that term matters. `without`: nodes
  /// in which `warp` has no such term.
  void noteDataInGuard(Warp &warp, Warp &doubting, uint32_t active, size_t i,
                       NodesByLanes &without) {
    const Access &access = kernel_.accesses[i];
    const Iterations first;
    LaneValues guard = doubting.evaluate(access.guard, first);
    if (guard.isUniform()) // a guard of thousands of terms is not searched
      return;
    const std::optional<ValueId> why =
        dataInTerm(kernel_.graph, warp, access.guard, active, without[active]);
    if (!why)
      return;
    guard.why = *why;
    noteChosenLanes(guard, warp.evaluate(access.address, first).value.toArray(),
                    active, i);
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
      AccessNotes &notes = notes_[i];
      llvm::SmallVector<ValueId, 4> conditions{access.guard};
      for (LoopId loop : access.loops)
        llvm::append_values(conditions, kernel_.loops[loop].enters,
                            kernel_.loops[loop].continues);
      for (ValueId condition : conditions) {
        notes.hasOpenLanes =
            notes.hasOpenLanes || hasOpenTerm(kernel_.graph, plain, condition);
        notes.hasDataLanes = notes.hasDataLanes ||
                             hasDataTerm(kernel_.graph, doubting, condition);
      }
    }
  }

  /// `sums`: by trial and access.
  void finish(size_t i, const std::vector<std::vector<RequestSums>> &sums) {
    Cost &cost = costs_[i];
    const Access &access = kernel_.accesses[i];
    if (cost.space == Space::Unknown)
      cost.space = access.space;
    if (cost.space == Space::Unknown)
      cost.space = spaceOfBases(kernel_, access.address);
    llvm::SmallVector<const RequestSums *, smallSizes> trials;
    for (const std::vector<RequestSums> &trial : sums)
      trials.push_back(&trial[i]);
    if (takeFigures(trials, notes_[i], cost))
      cost.isKeptOut = notes_[i].isKeptOut() && launches_.size() <= smallSizes;
  }

  const Kernel &kernel_;
  Shape shape_;
  const bool isAssumed_; ///< no launch shows it
  llvm::ArrayRef<Launched> launches_;
  Evaluation evaluation_;
  std::vector<Cost> costs_;
  std::vector<AccessNotes> notes_;    ///< by access
  std::vector<unsigned> mostWays_;    ///< by access; 0: not asked for
  std::vector<uint8_t> blockIndexes_; ///< by node: dimensions, as bits
  std::vector<BlockShifts> shifts_;   ///< by access
  std::vector<uint8_t> ownShapes_; ///< by access, if blocks' lanes lie in other
                                   ///< ways: dimensions of the grid, as bits
  std::vector<RequestCounter> counters_; ///< by access
  const std::vector<unsigned> asked_;    ///< accesses
  const long budget_;                    ///< of all evaluations
  std::map<SampledTogether, Probeless> probeless_;
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

Footprint footprint(const Kernel &kernel, llvm::ArrayRef<Cost> costs,
                    llvm::ArrayRef<unsigned> accesses) {
  Touched touched;
  for (unsigned i : accesses)
    touched.add(costs[i].addresses, costs[i].active, kernel.accesses[i].bytes);
  return {touched.sectors(), touched.idealSectors()};
}

} // namespace warplint
