#include "cost/sampled_grid.h"
#include "os/deadline.h"
#include <algorithm>

namespace warplint {

BlockPlace gridOf(llvm::ArrayRef<Launched> launches, unsigned trial) {
  constexpr uint64_t many = 1024;
  BlockPlace grid{many, many, many};
  if (const Launched *launch = launchOf(launches, trial))
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      grid[dimension] = launch->grid[dimension].value_or(many);
  return grid;
}

namespace {

/// Blocks, one of each run, that show how many evaluations one takes. If all
/// need more than are left, no average is that of the grid, and few blocks
/// give one as good.
constexpr size_t firstBlocks = 8;
constexpr long sampledOfMany = 100'000; ///< evaluations
/// They show a range: 12 neighbours of each run begin at each of the 8 words
/// of a sector.
constexpr size_t blocksOfOpenGrid = 12 * firstBlocks;

bool isAssumedGuard(Warp &warp, const Access &access) {
  return warp.evaluate(access.guard, Iterations()).assumed;
}

} // namespace

void SampledGrid::sample(SampledTogether of, llvm::ArrayRef<size_t> accesses,
                         unsigned warps, unsigned trial,
                         std::vector<RequestSums> &sums) {
  const Launched *launch = launchOf(launches_, trial);
  const Warp usual(requests_.evaluation, requests_.shape, 0, 0, trial);
  Probeless &before = probeless_[of];
  if (launch && before.launch == launch && before.usual == usual.block()) {
    for (size_t i : accesses)
      sums[i] = before.sums[i];
    return;
  }
  Evaluation evaluation(kernel_, launches_);
  evaluation.budget = sampling_;
  const bool isKnown = launch && launch->blocks();
  std::vector<SampledAccess> sampled;
  for (size_t i : accesses) {
    requests_.shifts[i] = BlockShifts();
    requests_.restart(i);
    sampled.push_back({i, BlockAverage(requests_.costs[i].space), isKnown});
  }
  const Warp first(evaluation, requests_.shape, 0, 0, trial);
  const std::vector<SampledBlock> blocks =
      sampledBlocks(gridOf(launches_, trial), of.dimensions, usual.block());
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
    before = {launch, usual.block(), sums};
}

void SampledGrid::runSampled(Warp &warp, unsigned trial, SampledAccess &one) {
  requests_.run(warp, one.access, trial, one.block);
  one.isEnded = !requests_.costs[one.access].why.empty();
  one.isWhole &=
      one.block.requests || !isAssumedGuard(warp, kernel_.accesses[one.access]);
}

void SampledGrid::takeAverage(const SampledAccess &one, bool isKnown,
                              unsigned trial, RequestSums &sum) {
  Cost &cost = requests_.costs[one.access];
  cost.why.clear();
  cost.cause.reset();
  requests_.restart(one.access);
  if (one.average.isEmpty()) {
    sum.isWholeGrid = sum.isWholeGrid && sampling_ >= 0;
    return;
  }
  one.take(isKnown, sum);
  if (isKnown && trial == 0)
    showBlock(one.access, one.average.nearest());
}

void SampledGrid::showBlock(size_t i, const BlockPlace &place) {
  Warp warp(requests_.evaluation, requests_.shape, 0, 0, 0);
  warp.pin(place);
  const Access &access = kernel_.accesses[i];
  warp.forEachIteration(
      access.loops, access.guard, [&](const Iterations &iterations) {
        const uint32_t active = warp.may(access.guard, iterations);
        const LaneValues &address = warp.evaluate(access.address, iterations);
        if (active && !(address.unknown & active)) {
          requests_.costs[i].addresses = address.value.toArray();
          requests_.costs[i].active = active;
        }
        return !active;
      });
}

} // namespace warplint
