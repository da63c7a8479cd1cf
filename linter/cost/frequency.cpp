#include "cost/frequency.h"
#include "cost/block_conditions.h"
#include "cost/block_shifts.h"
#include "cost/blocks_under.h"
#include "cost/conditions.h"
#include "cost/last_elements.h"
#include "cost/once_in_loop.h"
#include "cost/reached.h"
#include "cost/sampled_grid.h"
#include "cost/terms.h"
#include "cost/throughput.h"
#include "cost/walked_intervals.h"
#include "model/argument_bytes.h"
#include "os/deadline.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace warplint {

namespace {

/// The objects in shared memory that say whether this is the last block:
/// `isLast = atomicAdd(&done, 1) == gridDim.x - 1`.
std::vector<ObjectId> electionsOf(const Kernel &kernel) {
  std::vector<ObjectId> flags;
  for (const Access &access : kernel.accesses)
    if (access.storesElection && access.space == Space::Shared)
      if (const auto object = onlyObject(kernel, access.address))
        flags.push_back(*object);
  return flags;
}

} // namespace

Frequencies::Frequencies(const Kernel &kernel, const KernelShape &shape)
    : kernel_(kernel), shape_(shape), evaluation_(kernel, shape.launches),
      trips_(evaluation_, shape), shutOut_(evaluation_, shape_),
      warpsPerBlock_(shape.shape.warps()), elections_(electionsOf(kernel)),
      findImprovements_(kernel), findLastElements_(kernel) {}

Frequency Frequencies::of(llvm::ArrayRef<LoopId> loops, ValueId guard) {
  auto [place, isNew] =
      known_.try_emplace({guard, {loops.begin(), loops.end()}});
  if (isNew)
    place->second = compute(loops, guard);
  if (!keepsWarps_)
    warps_.clear();
  return place->second;
}

std::vector<std::string> Frequencies::assumedBounds() const {
  std::vector<std::string> texts = trips_.assumedBounds();
  auto isKnown = [&](ValueId size) {
    const auto entry = argumentEntry(kernel_.graph, size);
    return entry && !shape_.launches.empty() &&
           *entry < shape_.launches.front().arguments.size() &&
           shape_.launches.front().arguments[*entry];
  };
  llvm::DenseSet<ValueId> seen;
  for (const auto &[place, frequency] : known_)
    for (ValueId size : blockDivisors(kernel_.graph, place.first, seen))
      if (const std::string &text = kernel_.graph.text(size);
          !text.empty() && !isKnown(size) && !llvm::is_contained(texts, text))
        texts.push_back(text);
  return texts;
}

void Frequencies::release() {
  warps_.clear();
  keepsWarps_ = false;
}

Warp &Frequencies::warpOf(unsigned block, unsigned index) {
  const std::pair key(block, index);
  if (index == 0)
    return warps_
        .try_emplace(key, evaluation_, shape_.shape, index, block,
                     /*trial=*/0)
        .first->second;
  return warps_.try_emplace(key, warpOf(block, 0), index).first->second;
}

Warp &Frequencies::warpOfSecondBlock(unsigned index) {
  constexpr unsigned pinned = ~0u; // no block that `warpOf` is asked for
  const std::pair key(pinned, index);
  if (index > 0)
    return warps_.try_emplace(key, warpOfSecondBlock(0), index).first->second;
  auto [place, isNew] = warps_.try_emplace(key, evaluation_, shape_.shape,
                                           index, /*block=*/0, /*trial=*/0);
  if (isNew) {
    place->second.doubt();
    BlockPlace second{1, 1, 1};
    if (!shape_.launches.empty())
      for (unsigned d = 0; d < 3; ++d)
        if (const auto blocks = shape_.launches.front().grid[d])
          second[d] = std::min<uint64_t>(1, std::max<uint64_t>(1, *blocks) - 1);
    place->second.pin(second);
  }
  return place->second;
}

bool Frequencies::dependsOnElection(ValueId condition) const {
  using Walk = ExpressionGraph::Walk;
  return !elections_.empty() && !kernel_.graph.walk(condition, [&](ValueId id) {
    if (kernel_.graph.node(id).op != Op::Loaded)
      return Walk::Into;
    const auto object = onlyObject(kernel_, kernel_.graph.operand(id, 0));
    return object && llvm::is_contained(elections_, *object) ? Walk::Stop
                                                             : Walk::Past;
  });
}

Frequency Frequencies::compute(llvm::ArrayRef<LoopId> loops, ValueId guard) {
  if (isShutOut(loops, guard))
    return {};
  double count = 1, longest = 1;
  for (LoopId loop : loops) {
    const Trips trips = this->trips(loop);
    count *= trips.count;
    longest *= trips.longest.value_or(trips.count);
  }
  unsigned blocks = 1;
  if (!shape_.launches.empty())
    if (auto all = shape_.launches.front().blocks(); all && *all <= fewBlocks)
      blocks = std::max<uint64_t>(1, *all);
  const bool differ = differsByWarp(loops, guard);
  const auto [average, most] = sharesIn(blocks, loops, guard, differ);
  // Code for a size between the ends of a range: any launch may have it.
  if (!most && restsOnEnd(loops, guard)) {
    ofBetween_.insert({guard, {loops.begin(), loops.end()}});
    return between().of(loops, guard);
  }
  // A probe value may lie behind constant bounds, where no block of a real grid
  // is. What no index of a block decides is the same for all of them: a mode, a
  // flag in memory.
  const bool isElected = dependsOnElection(guard);
  const auto last = findLastElements_(loops, guard);
  if (last && !last->count && !most)
    return {};
  if (last && last->count && (blocks == 1 || last->isOfEachBlock)) {
    // One warp has them, the last one of the block or of the grid.
    const double steps = stepsOfLast(*last, loops);
    if (last->isOfEachBlock)
      return {steps / warpsPerBlock_, steps};
    return ofOneBlock(steps, steps);
  }
  if (!most && !isElected && !isOfEdge(kernel_.graph, guard) &&
      (hasGridBound(kernel_.graph, guard) ||
       !differsByBlock(kernel_.graph, guard)))
    if (const Frequency any = shareOfSecondBlock(loops, guard); any.perWarp)
      return {count * any.perWarp, longest * any.longest};
  // The block in the middle says nothing of others.
  std::optional<Frequency> spread;
  if (blocks == 1 && !isElected && differsByBlock(kernel_.graph, guard) &&
      (!most || !hasGridBound(kernel_.graph, guard)))
    spread = shareOfSpreadBlocks(loops, guard, differ);
  constexpr double oneOfMany = 1 / 1024.; // is one block, as below
  if (spread && spread->blocks >= oneOfMany)
    return {count * spread->perWarp, longest * spread->longest, spread->blocks};
  // No thread of a block in the middle of the grid: one block does it.
  if (!most || isElected)
    return ofOneBlock(count, longest);
  const double part = blocks == 1 ? blocksUnderGuard(loops, guard) : 1;
  return {count * average * part, longest * most, part};
}

Frequencies::Shares Frequencies::sharesIn(unsigned blocks,
                                          llvm::ArrayRef<LoopId> loops,
                                          ValueId guard, bool differ) {
  // Bounds the memory: an evaluated value takes about 60 bytes if all lanes
  // have the same one, as most do, and 330 if not.
  constexpr long mostKept = 300'000;
  const unsigned warps = std::min(warpsPerBlock_, 32u);
  double sum = 0, most = 0, share = 0;
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned index = 0; index < warps && !isOverdue(); ++index) {
      if (budgetBefore_ - evaluation_.budget > mostKept)
        warps_.clear();
      if (warps_.empty())
        budgetBefore_ = evaluation_.budget;
      if (index == 0 || differ)
        share = shareOf(warpOf(block, index), loops, guard);
      sum += share;
      most = std::max(most, share);
    }
  return {sum / (warps * blocks), most};
}

bool Frequencies::restsOnEnd(llvm::ArrayRef<LoopId> loops,
                             ValueId guard) const {
  if (shape_.launches.empty())
    return false;
  auto rests = [&](ValueId condition) {
    return warplint::restsOnEnd(shape_.launches.front(), kernel_.graph,
                                condition);
  };
  return rests(guard) || llvm::any_of(loops, [&](LoopId loop) {
           return rests(kernel_.loops[loop].enters);
         });
}

Frequencies &Frequencies::between() {
  if (!between_) {
    openShape_ = shape_;
    openShape_.launches.resize(1);
    Launched &launch = openShape_.launches.front();
    for (uint64_t entry : launch.ends)
      if (entry < launch.arguments.size()) // none behind the last known one
        launch.arguments[entry].reset();
    launch.ends.clear();
    between_ = std::make_unique<Frequencies>(kernel_, openShape_);
  }
  return *between_;
}

/// Of what one warp of the grid executes.
Frequency Frequencies::ofOneBlock(double count, double longest) const {
  const double all = warps().value_or(1024.0 * warpsPerBlock_);
  return {count / all, longest, std::min(1.0, warpsPerBlock_ / all)};
}

/// Returns true if the warps of a block may have different shares of `loops` and
/// `guard`. The last one may have fewer lanes.
bool Frequencies::differsByWarp(llvm::ArrayRef<LoopId> loops, ValueId guard) {
  auto differs = [&](ValueId id) { return evaluation_.differsByWarp(id); };
  return shape_.shape.threads() % warpSize || differs(guard) ||
         llvm::any_of(loops, [&](LoopId loop) {
           return differs(kernel_.loops[loop].enters);
         });
}

/// How often the warp that has the last elements of a size executes what is
/// done for them: in one iteration of the loops that lead to them, and no more
/// often than there are elements in loops inside.
double Frequencies::stepsOfLast(const LastElements &last,
                                llvm::ArrayRef<LoopId> loops) {
  const uint64_t moving = evaluation_.loopsOf(last.comparison);
  double around = 1, inside = 1;
  for (LoopId loop : loops)
    if (moving & ExpressionGraph::loopBit(loop)) {
      around *= inside;
      inside = 1;
    } else {
      inside *= trips(loop).count;
    }
  return around * std::min(inside, double(last.count));
}

/// The part of the grid's blocks that get past all conditions on their index.
/// Of an SM that has a block to execute, no less than one of its blocks.
double Frequencies::blocksUnderGuard(llvm::ArrayRef<LoopId> loops,
                                     ValueId guard) {
  std::vector<ValueId> conditions, ends;
  addConditions(kernel_.graph, guard, conditions);
  for (LoopId loop : loops) {
    addConditions(kernel_.graph, kernel_.loops[loop].enters, conditions);
    addConditions(kernel_.graph, kernel_.loops[loop].continues, ends);
  }
  // What ends a loop that steps by the grid holds in its first iteration, or in
  // none. Of another condition a later iteration may say more.
  llvm::erase_if(conditions, [&](ValueId condition) {
    return evaluation_.loopsOf(condition) &&
           !llvm::is_contained(ends, condition);
  });
  double part = 1;
  for (ValueId condition : conditions) {
    if (isOverdue())
      return 1;
    auto [place, isNew] = blocksUnder_.try_emplace(condition, 1);
    if (isNew)
      place->second = blocksUnder(evaluation_, shape_, condition);
    part *= place->second;
  }
  if (part == 1)
    return 1;
  const double blocks = double(*shape_.launches.front().blocks()),
               multiprocessors = throughputOf(usualCapability).multiprocessors;
  return std::max(part, 1 / std::max(1.0, blocks / multiprocessors));
}

/// The share of the warps of the second block along x, y and z, whatever the
/// sizes are, and of the warp that executes most. What one block alone does,
/// the first one does.
Frequency Frequencies::shareOfSecondBlock(llvm::ArrayRef<LoopId> loops,
                                          ValueId guard) {
  const unsigned warps = std::min(warpsPerBlock_, 32u);
  const bool differ = differsByWarp(loops, guard);
  Frequency share;
  double one = 0;
  for (unsigned i = 0; i < warps && !isOverdue(); ++i) {
    if (i == 0 || differ)
      one = shareOf(warpOfSecondBlock(i), loops, guard);
    share.perWarp += one / warps;
    share.longest = std::max(share.longest, one);
  }
  return share;
}

/// The share of the warps of blocks all over the grid, as a remainder, a row or
/// a triangle of its indexes lets them through.
Frequency Frequencies::shareOfSpreadBlocks(llvm::ArrayRef<LoopId> loops,
                                           ValueId guard, bool differ) {
  if (blockIndexes_.empty())
    blockIndexes_ = blockDimensions(kernel_.graph);
  uint8_t dimensions = blockIndexes_[guard];
  for (LoopId loop : loops)
    dimensions |= blockIndexes_[kernel_.loops[loop].enters];
  const Warp usual(evaluation_, shape_.shape, 0, 0, /*trial=*/0);
  const std::vector<SampledBlock> sampled =
      sampledBlocks(gridOf(shape_.launches, 0), dimensions, usual.block());
  const unsigned warps = differ ? std::min(warpsPerBlock_, 32u) : 1;
  // Of a large grid, 4 or 12 neighbours at each of 8 places; the blocks of a
  // small one are one run, in order.
  const bool isSmall = sampled.empty() || sampled.back().run == 0;
  const size_t asked = isSmall ? sampled.size() : differ ? 32 : 96;
  Frequency share{0, 0, 0};
  if (spreadWarps_ <= 0)
    return share;
  spreadWarps_ -= long(asked * warps);
  double all = 0;
  for (const SampledBlock &block : llvm::ArrayRef(sampled).take_front(asked)) {
    if (isOverdue())
      break;
    Warp first(usual, block.place);
    first.pin(block.place);
    double ofBlock = 0;
    for (unsigned i = 0; i < warps; ++i) {
      Warp warp(first, i);
      const double one = shareOf(warp, loops, guard);
      ofBlock += one / warps;
      share.longest = std::max(share.longest, one);
    }
    all += block.weight;
    share.perWarp += block.weight * ofBlock;
    share.blocks += block.weight * (ofBlock > 0);
  }
  if (all) {
    share.perWarp /= all;
    share.blocks /= all;
  }
  return share;
}

/// The share of the iterations of `loops` in which the warp executes code under
/// `guard`.
double Frequencies::shareOf(Warp &warp, llvm::ArrayRef<LoopId> loops,
                            ValueId guard) {
  const Iterations first;
  for (LoopId loop : loops) {
    const ValueId enters = kernel_.loops[loop].enters;
    if (!evaluation_.loopsOf(enters) && !warp.may(enters, first))
      return 0;
  }
  double share = 1;
  const uint64_t moving = evaluation_.loopsOf(guard);
  bool isMoving = false;
  for (LoopId loop : loops)
    if (moving & ExpressionGraph::loopBit(loop)) {
      isMoving = true;
      share *= shareInLoop(warp, loop, guard);
    }
  if (!isMoving)
    return warp.may(guard, first) ? 1 : 0;
  return share ? share * shareThatImproves(warp, loops, guard) : 0;
}

/// The share of the iterations in which a lane finds a candidate that improves
/// its best so far; 1 where the guard asks for no such candidate.
double Frequencies::shareThatImproves(Warp &warp, llvm::ArrayRef<LoopId> loops,
                                      ValueId guard) {
  auto [place, isNew] =
      improvements_.try_emplace(Place(guard, {loops.begin(), loops.end()}));
  if (isNew)
    place->second = findImprovements_.under(
        loops, guard, [&](LoopId loop) { return trips(loop).count; });
  if (!place->second)
    return 1;
  const Improvements &found = *place->second;
  double candidates = found.perIteration;
  constexpr double most = 1e15; // no nest of loops gets further
  for (LoopId loop : found.loops)
    candidates = std::min(most, candidates * trips(loop).count);
  Iterations second; // the best of the first one may be the same for all
  second[found.loop] = 1;
  const bool areSame = warp.evaluate(found.candidate, second).isUniform() &&
                       warp.evaluate(found.best, second).isUniform();
  const uint32_t lanes = warp.may(guard, second);
  return improvingIterations(
             candidates, found.places,
             areSame ? 1 : llvm::popcount(lanes ? lanes : warp.lanes())) /
         candidates;
}

/// The share of the iterations in which a lane finds the interval that its
/// value lies in, or does what it does once; 1 where the conditions ask for
/// neither.
double Frequencies::shareOfIntervals(Warp &warp, LoopId loop, ValueId guard,
                                     llvm::ArrayRef<ValueId> conditions) {
  auto [place, isNew] = sought_.try_emplace({guard, loop});
  Sought &sought = place->second;
  if (isNew)
    sought.value = valueInIntervals(kernel_, warp, loop, conditions);
  if (isNew && !sought.value)
    sought.value = changedForGood(kernel_, loop, conditions);
  if (!sought.value)
    return 1;
  const Iterations first;
  Iterations second; // a counter begins with the same value in all lanes
  second[loop] = 1;
  const unsigned values = warp.evaluate(*sought.value, second).isUniform()
                              ? 1
                              : llvm::popcount(warp.may(guard, first));
  sought.most = std::max(sought.most, values);
  return shareOfIntervals(loop, values);
}

/// Of values in random intervals.
double Frequencies::shareOfIntervals(LoopId loop, unsigned values) {
  return 1 - std::pow(1 - 1 / std::max(1.0, trips(loop).count), values);
}

double Frequencies::partOfLanes(llvm::ArrayRef<LoopId> loops, ValueId guard) {
  of(loops, guard); // finds the intervals
  if (ofBetween_.contains({guard, {loops.begin(), loops.end()}}))
    return between().partOfLanes(loops, guard);
  double part = 1;
  for (LoopId loop : loops)
    if (const auto found = sought_.find({guard, loop});
        found != sought_.end() && found->second.most > 1)
      part /= trips(loop).count * shareOfIntervals(loop, found->second.most);
  return part;
}

bool Frequencies::isOfGrid(ValueId guard) {
  auto [known, isNew] = ofGrid_.try_emplace(guard);
  if (isNew)
    known->second =
        hasGridBound(kernel_.graph, guard) || isOfEdge(kernel_.graph, guard);
  return known->second;
}

bool Frequencies::isOfData(ValueId guard) {
  auto [known, isNew] = ofData_.try_emplace(guard);
  if (isNew)
    known->second = dependsOnData(kernel_, guard);
  return known->second;
}

/// Returns true if constants and the counters of loops of known length decide:
/// `t >= 16`.
static bool isOfKnownCounters(const Kernel &kernel, ValueId condition) {
  using Walk = ExpressionGraph::Walk;
  return kernel.graph.walk(condition, [&](ValueId value) {
    const Node &node = kernel.graph.node(value);
    const bool isKnown =
        node.op == Op::Carried
            ? kernel.loops[node.number].tripCount.has_value()
            : node.op == Op::Constant || !kernel.graph.operands(value).empty();
    return isKnown && node.op != Op::Loaded && node.op != Op::Opaque
               ? Walk::Into
               : Walk::Stop;
  });
}

/// Tells a condition that holds in one iteration, such as `k == 0`, from one
/// that holds in each second.
double Frequencies::shareInLoop(Warp &warp, LoopId loop, ValueId guard) {
  const double count = trips(loop).count;
  // `trips` says how often the loop goes on; the value that stands for an
  // unknown size may end it earlier.
  std::vector<ValueId> ends, conditions;
  addConditions(kernel_.graph, kernel_.loops[loop].continues, ends);
  addConditions(kernel_.graph, guard, conditions);
  llvm::erase_if(conditions, [&](ValueId condition) {
    return llvm::is_contained(ends, condition);
  });
  // Of hundreds of loops in each other, most conditions stay the same in one.
  const auto steady =
      std::stable_partition(conditions.begin(), conditions.end(), [&](auto id) {
        return evaluation_.loopsOf(id) & ExpressionGraph::loopBit(loop);
      });
  // The first iterations alone may be what a condition on the counter leaves
  // out.
  constexpr unsigned mostAsked = 64;
  const bool isOfCounters =
      kernel_.loops[loop].tripCount.value_or(mostAsked + 1) <= mostAsked &&
      std::all_of(conditions.begin(), steady, [&](ValueId condition) {
        return isOfKnownCounters(kernel_, condition);
      });
  const unsigned samples = isOfCounters ? mostAsked : 8;
  const unsigned sampled = std::min<double>(samples, std::ceil(count));
  auto heldIn = [&](unsigned outer) {
    Iterations iterations; // the first ones
    if (outer)
      for (LoopId around : kernel_.nestOf(loop))
        iterations[around] = outer;
    auto lanesIn = [&](auto first, auto last) {
      uint32_t lanes = warp.lanes();
      for (; first != last; ++first)
        lanes &= warp.may(*first, iterations);
      return lanes;
    };
    const uint32_t always = lanesIn(steady, conditions.end());
    unsigned held = 0;
    for (unsigned i = 0; i < sampled; ++i) {
      iterations[loop] = i;
      held += (always & lanesIn(conditions.begin(), steady)) != 0;
    }
    return held;
  };
  unsigned held = heldIn(0);
  // The first iterations around a triangular loop have few of it.
  if (const auto around = kernel_.loops[loop].parent; around && held < sampled)
    held = std::max(
        held, heldIn(std::min<double>(samples, trips(*around).count - 1)));
  if (held == sampled)
    return shareOfIntervals(warp, loop, guard, conditions);
  // Such as a bound of the grid, or `!found`, not a certain iteration.
  if ((!held && isOfGrid(guard)) ||
      (held <= 1 && !warp.doubts() && isOfData(guard)))
    return 0;
  return held <= 1 ? 1 / count : double(held) / sampled;
}

} // namespace warplint
