#include "cost/lanes.h"
#include "cost/access_requests.h"
#include "cost/address_roots.h"
#include "cost/choices.h"
#include "cost/each_cost.h"
#include "cost/joined_costs.h"
#include "cost/open_lanes.h"
#include "cost/sampled_grid.h"
#include "cost/unreached_accesses.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
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

class CostReader {
public:
  /// `asked`: the accesses whose costs are computed.
  CostReader(const Kernel &kernel, const KernelShape &shape,
             std::vector<unsigned> asked)
      : requests_(kernel, shape), kernel_(kernel),
        ownShapes_(kernel.accesses.size()), asked_(std::move(asked)),
        budget_(requests_.evaluation.budget) {}

  /// Without what depends on several accesses.
  std::vector<Cost> readEach() {
    std::vector<std::vector<RequestSums>> sums;
    for (unsigned trial = 0; trial < smallSizes; ++trial)
      sums.push_back(runTrial(trial));
    const std::vector<RequestSums> large = unguarded(requests_.evaluation, 0);
    std::vector<std::vector<RequestSums>> others{
        unguarded(requests_.evaluation, smallSizes),
        unguarded(requests_.evaluation, unitSizes)};
    const unsigned choices = mostChoices(choicesOf(kernel_.graph));
    for (unsigned i = 0; i < choices && !isOverdue(); ++i)
      others.push_back(unguarded(requests_.evaluation, firstChoice + i));
    for (size_t i = smallSizes; i < requests_.launches.size() && !isOverdue();
         ++i) {
      Evaluation one(kernel_, requests_.launches.slice(i, 1));
      others.push_back(unguarded(one, 0));
    }
    noteOpenLanes();
    for (size_t i : asked_) {
      finish(i, sums);
      for (const std::vector<RequestSums> &other : others)
        widenRange(large[i], other[i], requests_.notes[i], requests_.costs[i]);
      settleBasis(kernel_.accesses[i], requests_.notes[i], requests_.costs[i]);
    }
    return std::move(requests_.costs);
  }

  /// True if the limit of evaluations is not near.
  bool isCheap() const { return requests_.evaluation.budget > budget_ / 2; }

  /// True if objects were found behind loaded pointers: they are numbered in
  /// the order in which the accesses lead to them.
  bool hasFound() const { return requests_.evaluation.ranges.hasFound(); }

private:
  std::vector<RequestSums> runTrial(unsigned trial) {
    std::vector<RequestSums> sums(kernel_.accesses.size());
    readShifts(requests_.evaluation, trial);
    unsigned warps = std::min<uint64_t>(32, requests_.shape.warps());
    for (unsigned block = 0; block < evaluatedBlocks(requests_.launches, trial);
         ++block) {
      const Warp any(requests_.evaluation, requests_.shape, 0, block, trial);
      for (unsigned index = 0; index < warps; ++index) {
        Warp warp(any, index);
        for (size_t i : asked_)
          if (requests_.costs[i].why.empty() && !isOverdue())
            requests_.run(warp, i, trial, sums[i]);
      }
    }
    std::vector<size_t> unreached;
    for (size_t i : asked_)
      if (!sums[i].requests)
        unreached.push_back(i);
    unreached_.run(unreached, warps, trial, sums);
    if (trial == 0)
      noteOwnShapes();
    std::map<SampledTogether, std::vector<size_t>> together;
    for (size_t i : asked_)
      if (ownShapes_[i] && sums[i].requests)
        together[{ownShapes_[i], dependsOnData(kernel_, kernel_.accesses[i])}]
            .push_back(i);
    for (const auto &[of, accesses] : together)
      if (!isOverdue())
        grid_.sample(of, accesses, warps, trial, sums);
    return sums;
  }

  /// Notes the accesses whose lanes lie in another way to each other in some
  /// other block, as with a stride of `blockIdx.x`.
  void noteOwnShapes() {
    if (evaluatedBlocks(requests_.launches, 0) > 1)
      return;
    const BlockPlace grid = gridOf(requests_.launches, 0);
    Evaluation evaluation(kernel_, requests_.launches);
    Warp here(evaluation, requests_.shape, 0, 0, 0);
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      llvm::SmallVector<size_t> open;
      for (size_t i : asked_)
        if (kernel_.accesses[i].bytes && requests_.costs[i].active &&
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

  /// Reads how far other blocks place each access than the evaluated one.
  void readShifts(Evaluation &evaluation, unsigned trial) {
    std::fill(requests_.shifts.begin(), requests_.shifts.end(), BlockShifts());
    if (evaluatedBlocks(evaluation.launches, trial) > 1)
      return;
    const Launched *launch = launchOf(evaluation.launches, trial);
    Warp here(evaluation, requests_.shape, 0, 0, trial);
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
            requests_.shifts[i] = shifted(requests_.shifts[i], *step, grid,
                                          here.block()[dimension]);
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
    Warp warp(evaluation, requests_.shape, 0, 0, trial);
    // Blocks are compared by `SampledGrid` where they differ.
    Warp usual(warp, Warp(evaluation, requests_.shape, 0, 0, 0).block());
    std::vector<RequestSums> sums(requests_.costs.size());
    for (size_t i : asked_) {
      std::string ignored; // unknowns in lanes that a guard excludes
      sums[i] =
          requests_.unguarded(ownShapes_[i] ? usual : warp, i, trial, ignored);
    }
    return sums;
  }

  /// Notes the accesses of which conditions may leave some lanes and not
  /// others: on data, or on sizes and blocks, as `i < n` at the end of the
  /// data.
  void noteOpenLanes() {
    Warp plain(requests_.evaluation, requests_.shape, 0, 0, 0),
        doubting(requests_.evaluation, requests_.shape, 0, 0, 0);
    doubting.doubt();
    for (size_t i : asked_) {
      if (isOverdue())
        break;
      const Access &access = kernel_.accesses[i];
      AccessNotes &notes = requests_.notes[i];
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
    Cost &cost = requests_.costs[i];
    const Access &access = kernel_.accesses[i];
    if (cost.space == Space::Unknown)
      cost.space = access.space;
    if (cost.space == Space::Unknown)
      cost.space = spaceOfBases(kernel_, access.address);
    llvm::SmallVector<const RequestSums *, smallSizes> trials;
    for (const std::vector<RequestSums> &trial : sums)
      trials.push_back(&trial[i]);
    if (takeFigures(trials, requests_.notes[i], cost))
      cost.isKeptOut = requests_.notes[i].isKeptOut() &&
                       requests_.launches.size() <= smallSizes;
  }

  AccessRequests requests_;
  const Kernel &kernel_;
  UnreachedAccesses unreached_{requests_};
  SampledGrid grid_{requests_};
  std::vector<uint8_t> blockIndexes_; ///< by node: dimensions, as bits
  std::vector<uint8_t> ownShapes_; ///< by access, if blocks' lanes lie in other
                                   ///< ways: dimensions of the grid, as bits
  const std::vector<unsigned> asked_; ///< accesses
  const long budget_;                 ///< of all evaluations
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
