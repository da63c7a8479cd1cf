#include "cost/frequency.h"
#include "cost/blocks_under.h"
#include "cost/last_elements.h"
#include "cost/left_over.h"
#include "cost/loop_bound.h"
#include "cost/reached.h"
#include "cost/terms.h"
#include "cost/throughput.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

namespace warplint {

namespace {

int64_t asSigned(uint64_t value, unsigned bits) {
  return bits >= 64 ? int64_t(value)
                    : int64_t(value << (64 - bits)) >> (64 - bits);
}

/// Returns true if a value depends on memory. A member of a structure that the
/// launch passes, such as a span's size, is an argument.
bool dependsOnData(const Kernel &kernel, ValueId value) {
  using Walk = ExpressionGraph::Walk;
  return !kernel.graph.walk(value, [&](ValueId id) {
    const Op op = kernel.graph.node(id).op;
    return op == Op::Varying           ? Walk::Stop
           : op != Op::Loaded          ? Walk::Into
           : isOfArguments(kernel, id) ? Walk::Past
                                       : Walk::Stop;
  });
}

/// Returns true if not all blocks get the same answer from a condition, as far
/// as it says; what data decide is the same for all.
bool differsByBlock(const ExpressionGraph &graph, ValueId condition) {
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(condition, [&](ValueId id) {
    const Op op = graph.node(id).op;
    return op == Op::BlockIndex ? Walk::Stop
           : op == Op::Loaded   ? Walk::Past
                                : Walk::Into;
  });
}

/// Returns true if a condition compares an index of the grid with a bound, such
/// as `blockIdx.x * 256 + offset < 1024`; what data decide is none.
bool hasGridBound(const ExpressionGraph &graph, ValueId condition) {
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(condition, [&](ValueId id) {
    const Op op = graph.node(id).op;
    if (op == Op::Loaded)
      return Walk::Past;
    const bool isOrder =
        isComparison(op) && op != Op::Equal && op != Op::NotEqual;
    return isOrder && differsByBlock(graph, id) ? Walk::Stop : Walk::Into;
  });
}

/// Returns true for an operation whose result grows evenly with its inputs.
bool isLinear(Op op) {
  return op == Op::Add || op == Op::Subtract || op == Op::Multiply ||
         op == Op::ShiftLeft || op == Op::SignExtend || op == Op::Resize;
}

/// Returns true if a value grows with the index of the block, as far as its
/// operations say: a remainder, a quotient or a mask repeats itself.
bool growsWithBlock(const ExpressionGraph &graph, ValueId value) {
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(value, [&](ValueId id) {
    const Op op = graph.node(id).op;
    if (op == Op::BlockIndex)
      return Walk::Stop;
    // Carried: of a loop that steps by the whole grid.
    return isLinear(op) || op == Op::Carried ? Walk::Into : Walk::Past;
  });
}

/// Returns true if a condition wants an index of the grid to be one value, as
/// `y == height - 1` at the edge of a field does: few blocks have it.
bool isOfEdge(const ExpressionGraph &graph, ValueId condition) {
  const Node &node = graph.node(condition);
  auto operand = [&](unsigned i) { return graph.operand(condition, i); };
  if (node.op == Op::And && node.bits == 1)
    return isOfEdge(graph, operand(0)) || isOfEdge(graph, operand(1));
  return node.op == Op::Equal && growsWithBlock(graph, operand(0)) !=
                                     growsWithBlock(graph, operand(1));
}

/// Adds the conditions that have to hold together for `value` to hold.
void addConditions(const ExpressionGraph &graph, ValueId value,
                   std::vector<ValueId> &conditions) {
  const Node &node = graph.node(value);
  if (node.op != Op::And || node.bits != 1) {
    conditions.push_back(value);
    return;
  }
  for (ValueId part : graph.operands(value))
    addConditions(graph, part, conditions);
}

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

/// Returns true if a loop whose counter moves towards the bound of `comparison`
/// goes on at that bound, as `i <= n` and `!(n < i)` do.
bool includesBound(const ExpressionGraph &graph, ValueId comparison,
                   ValueId counter, bool isDown) {
  const Op op = graph.node(comparison).op;
  if (op == Op::Equal || op == Op::NotEqual)
    return false;
  const bool isLessEqual =
      op == Op::LessEqualSigned || op == Op::LessEqualUnsigned;
  const bool isLeft = graph.operand(comparison, 0) == counter;
  return isDown ? isLessEqual != isLeft : isLessEqual == isLeft;
}

/// The two values of which a bound is the least: of `min(n, 12)`, and of
/// `12 < n ? 12 : n`.
llvm::ArrayRef<ValueId> valuesOfMinimum(const ExpressionGraph &graph,
                                        ValueId bound) {
  bound = withoutResizing(graph, bound);
  const Op op = graph.node(bound).op;
  const llvm::ArrayRef<ValueId> operands = graph.operands(bound);
  if (op == Op::MinSigned || op == Op::MinUnsigned)
    return operands;
  if (op != Op::Select || !isComparison(graph.node(operands[0]).op))
    return {};
  const llvm::ArrayRef<ValueId> compared = graph.operands(operands[0]);
  const llvm::ArrayRef<ValueId> values = operands.drop_front();
  return llvm::is_contained(compared, values[0]) &&
                 llvm::is_contained(compared, values[1])
             ? values
             : llvm::ArrayRef<ValueId>();
}

/// The index in the middle of one of `parts` of `all`: the mean of what grows
/// with the index is the mean over all of them, and the last one, which may have
/// less to do, does not stand for many.
uint64_t middleOf(uint64_t part, uint64_t parts, uint64_t all) {
  return (2 * part + 1) * all / (2 * parts);
}

/// The blocks that stand for a known grid.
std::vector<BlockPlace> sampleOfGrid(const Launched &launch) {
  constexpr uint64_t most = 3;
  uint64_t parts = 1;
  for (const auto &blocks : launch.grid)
    parts = std::max(parts, std::min(most, *blocks));
  std::vector<BlockPlace> sample(parts);
  for (uint64_t part = 0; part < parts; ++part)
    for (unsigned d = 0; d < 3; ++d)
      sample[part][d] = middleOf(part, parts, *launch.grid[d]);
  return sample;
}

/// The iterations of a loop that has more of them in some lanes than in others:
/// those of the slowest lane of a warp.
struct Slowest {
  double mean = 0; ///< over the warps of the launch that enter it
  /// Of the warps of the block that has most of them.
  double meanOfBlock = 0;
  /// Of the slowest warp of a block, on average, and of all blocks.
  double ofBlock = 0, ofAll = 0;
};

/// Returns them for a loop such as `j < i` of the thread's element. None if the
/// counts of any two lanes differ by one at most, as where threads share the
/// iterations by a stride.
std::optional<Slowest>
countOfSlowest(Evaluation &evaluation, const KernelShape &shape,
               const Loop &loop, LoopId id, ValueId counter, ValueId bound,
               llvm::function_ref<double(double, double, double)> between) {
  const ExpressionGraph &graph = evaluation.kernel.graph;
  auto differs = [&](ValueId end) {
    return dependsOn(graph, end, {Op::ThreadIndex, Op::BlockIndex, Op::Lane});
  };
  if (!differs(counter) && !differs(bound))
    return std::nullopt;
  const uint64_t warps = std::max<uint64_t>(
      1, (shape.shape.threads() + warpSize - 1) / warpSize);
  const uint64_t parts = std::min<uint64_t>(warps, 8);
  // Of an unknown grid, any block stands for all.
  std::vector<std::optional<BlockPlace>> blocks;
  size_t typical = 1;
  if (!shape.launches.empty() && shape.launches.front().blocks().value_or(0)) {
    for (const BlockPlace &block : sampleOfGrid(shape.launches.front()))
      blocks.push_back(block);
    typical = blocks.size();
    // As a rule, the first or the last one has most to do.
    BlockPlace last;
    for (unsigned d = 0; d < 3; ++d)
      last[d] = *shape.launches.front().grid[d] - 1;
    blocks.push_back(BlockPlace{});
    blocks.push_back(last);
  } else {
    blocks.push_back(std::nullopt);
  }
  const unsigned bits = graph.node(counter).bits;
  double sum = 0, fewest = HUGE_VAL, most = 0;
  unsigned entered = 0, blocksEntered = 0;
  Slowest result;
  for (size_t at = 0; at < blocks.size(); ++at) {
    Warp first(evaluation, shape.shape, 0, 0, /*trial=*/0);
    if (blocks[at])
      first.pin(*blocks[at]);
    double sumOfBlock = 0, mostOfBlock = 0;
    unsigned enteredInBlock = 0;
    for (uint64_t part = 0; part < parts; ++part) {
      if (isOverdue())
        return std::nullopt;
      Warp warp(first, middleOf(part, parts, warps));
      const uint32_t lanes = warp.may(loop.enters, {});
      if (!lanes)
        continue;
      Iterations second;
      second[id] = 1;
      const LaneValues from = warp.evaluate(counter, {}),
                       to = warp.evaluate(bound, {}),
                       next = warp.evaluate(counter, second);
      if ((from.unknown | next.unknown | to.unknown) & lanes || from.assumed ||
          next.assumed || to.assumed)
        return std::nullopt;
      double slowest = 0;
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        if (!(lanes >> lane & 1))
          continue;
        const double count =
            between(asSigned(from.value[lane], bits),
                    asSigned(next.value[lane], bits),
                    asSigned(to.value[lane], bits));
        if (!std::isfinite(count))
          return std::nullopt;
        fewest = std::min(fewest, std::max(0.0, count));
        slowest = std::max(slowest, count);
      }
      mostOfBlock = std::max(mostOfBlock, slowest);
      sumOfBlock += slowest;
      ++enteredInBlock;
    }
    if (!enteredInBlock)
      continue;
    most = std::max(most, mostOfBlock);
    result.meanOfBlock =
        std::max(result.meanOfBlock, sumOfBlock / enteredInBlock);
    if (at >= typical)
      continue;
    sum += sumOfBlock;
    entered += enteredInBlock;
    result.ofBlock += mostOfBlock;
    ++blocksEntered;
  }
  if (!entered || most - fewest <= 1)
    return std::nullopt;
  result.mean = sum / entered;
  result.ofBlock /= blocksEntered;
  result.ofAll = most;
  return result;
}

/// What an SM has of something of which its blocks have `mean` on average, and
/// one has `most`: the more blocks each SM executes one after the other, the
/// less they differ.
double ofSm(double mean, double most, double blocks) {
  return mean + (most - mean) / std::max(1.0, blocks);
}

} // namespace

Frequencies::Frequencies(const Kernel &kernel, const KernelShape &shape)
    : kernel_(kernel), shape_(shape), evaluation_(kernel, shape.launches),
      warpsPerBlock_(std::max<uint64_t>(
          1, (shape.shape.threads() + warpSize - 1) / warpSize)),
      elections_(electionsOf(kernel)) {}

/// Returns true if the launch has a known grid in another run, as without the
/// options of the program. A few blocks are the case of a small size.
static bool hasDefault(const KernelShape &shape, const Launched &open) {
  return llvm::any_of(shape.launches, [&](const Launched &known) {
    return known.place == open.place && known.blocks().value_or(0) > fewBlocks;
  });
}

std::optional<double> Frequencies::warps() const {
  // The largest launch counts most.
  double most = 0;
  for (const Launched &launch : shape_.launches)
    if (const auto blocks = launch.blocks())
      most = std::max(most, double(*blocks));
    else if (shape_.grids.empty() && !hasDefault(shape_, launch))
      return std::nullopt;
  for (uint64_t blocks : shape_.grids)
    most = std::max(most, double(blocks));
  if (!most)
    return std::nullopt;
  return std::max(1.0, most) * warpsPerBlock_;
}

Trips Frequencies::trips(LoopId loop) {
  auto [place, isNew] = trips_.try_emplace(loop);
  if (!isNew)
    return place->second;
  Trips trips = computeTrips(loop);
  if (trips.isAssumed)
    if (const auto most = mostInArrays(loop); most && *most < trips.count)
      trips = {*most, true, /*isShort=*/true};
  return trips_[loop] = trips;
}

/// Returns true if a value moves by the same in each iteration of a loop as far
/// as its operations say: a remainder or a mask would lead back to its first
/// element, and a stride that is halved takes shorter steps.
static bool movesEvenly(const ExpressionGraph &graph, ValueId value,
                        const std::vector<uint64_t> &loops, LoopId loop) {
  using Walk = ExpressionGraph::Walk;
  auto isCounter = [&](ValueId id) {
    const ValueId next = graph.operand(id, 1);
    const Op op = graph.node(next).op;
    return graph.node(id).number == loop &&
           (op == Op::Add || op == Op::Subtract) &&
           llvm::is_contained(graph.operands(next), id);
  };
  return graph.walk(value, [&](ValueId id) {
    if (!(loops[id] & ExpressionGraph::loopBit(loop)))
      return Walk::Past;
    const Op op = graph.node(id).op;
    if (op == Op::Carried && isCounter(id))
      return Walk::Past;
    return isLinear(op) ? Walk::Into : Walk::Stop;
  });
}

/// The iterations in which a loop of unknown length steps through the smallest
/// array of known size, in local, shared or constant memory, that each of them
/// accesses: 2 of `for (i = threadIdx.x; i < n; i += 256) tile[i] = in[i]` with
/// 512 elements.
std::optional<double> Frequencies::mostInArrays(LoopId id) {
  const ExpressionGraph &graph = kernel_.graph;
  const std::vector<uint64_t> &loops = graph.loopsOf();
  const uint64_t bit = ExpressionGraph::loopBit(id);
  std::vector<ValueId> ends;
  addConditions(graph, kernel_.loops[id].continues, ends);
  addConditions(graph, kernel_.loops[id].enters, ends);
  // 'if (i < 32) table[i] = in[i]' says nothing about a loop.
  auto isInEach = [&](const Access &access) {
    std::vector<ValueId> conditions;
    addConditions(graph, access.guard, conditions);
    return llvm::all_of(conditions, [&](ValueId condition) {
      return !(loops[condition] & bit) || llvm::is_contained(ends, condition);
    });
  };
  std::optional<double> least;
  for (const Access &access : kernel_.accesses) {
    if (!llvm::is_contained(access.loops, id) || !(loops[access.address] & bit))
      continue;
    const auto object = onlyObject(kernel_, access.address);
    if (!object || !kernel_.objects[*object].bytes)
      continue;
    const Object &array = kernel_.objects[*object];
    const bool isArray = array.space == Space::Local ||
                         array.space == Space::Shared ||
                         array.space == Space::Constant;
    if (!isArray || !isInEach(access) ||
        !movesEvenly(graph, access.address, loops, id))
      continue;
    if (const auto step = stepOf(id, access.address); step.value_or(0) > 0)
      least = std::min(least.value_or(HUGE_VAL),
                       std::ceil(double(array.bytes) / *step));
  }
  return least;
}

/// Returns true if the text of a loop's bound names a size. A loop that counts
/// down to 0 has its size in its first value; '1.0' limits data, and '-1' ends
/// a list. What an atomic or a shuffle gives, as in 'while (seen != old)', is no
/// size either.
static bool isSize(const Kernel &kernel, const Loop &loop) {
  const llvm::StringRef value = llvm::StringRef(loop.boundText).ltrim("+-( ");
  if (value.empty() ||
      dependsOn(kernel.graph, loop.hasBound ? loop.bound : loop.continues,
                {Op::Varying}))
    return false;
  return loop.hasBound ? kernel.graph.node(loop.bound).op != Op::Constant
                       : !llvm::isDigit(value.front());
}

std::vector<std::string> Frequencies::assumedBounds() const {
  std::vector<std::string> texts;
  for (const auto &[id, trips] : trips_) {
    const Loop &loop = kernel_.loops[id];
    if (trips.isAssumed && !trips.isShort && isSize(kernel_, loop) &&
        !llvm::is_contained(texts, loop.boundText))
      texts.push_back(loop.boundText);
  }
  return texts;
}

Trips Frequencies::computeTrips(LoopId id) {
  const Loop &loop = kernel_.loops[id];
  if (loop.tripCount)
    return {std::max(1.0, double(*loop.tripCount)), false};
  // Each end limits the loop. A known one says more than an estimate.
  std::optional<Trips> found;
  bool mayEndByData = false;
  kernel_.graph.walk(loop.continues, [&](ValueId node) {
    if (!isComparison(kernel_.graph.node(node).op))
      return ExpressionGraph::Walk::Into;
    if (const std::optional<Trips> trips = tripsOfCounter(id, node)) {
      if (!found || std::tie(trips->isAssumed, trips->count) <
                        std::tie(found->isAssumed, found->count))
        found = trips;
    } else {
      // What no iteration changes, such as `i < view.size` of the thread's
      // element, says whether the loop is entered.
      mayEndByData |=
          dependsOn(kernel_.graph, node, {Op::Varying}) ||
          (dependsOnData(kernel_, node) &&
           evaluation_.loopsOf(node) & ExpressionGraph::loopBit(id));
    }
    return ExpressionGraph::Walk::Past;
  });
  if (found)
    return mayEndByData && found->count > dataLength ? Trips{dataLength, true}
                                                     : *found;
  if (dependsOnData(kernel_, loop.continues))
    return {dataLength, true};
  return {unknownLength, true};
}

/// Returns true if the loop around another one decides where its counter
/// begins, and the counter stays at 0 in the first iteration of that loop, as
/// `stride` of `for (stride = size / 4; stride > 0; stride /= 2)` does in
/// `for (size = 2; size <= n; size *= 2)`.
bool Frequencies::beginsEmpty(Warp &warp, LoopId id, ValueId counter) {
  const auto around = kernel_.loops[id].parent;
  if (!around ||
      !(evaluation_.loopsOf(counter) & ExpressionGraph::loopBit(*around)))
    return false;
  Iterations second;
  second[id] = 1;
  const LaneValues from = warp.evaluate(counter, {}),
                   next = warp.evaluate(counter, second);
  return !((from.unknown | next.unknown) & 1) && !from.value[0] &&
         !next.value[0];
}

/// The count of a loop whose counter moves in equal steps, or by halves, to a
/// bound; nothing if `comparison` is no such end.
std::optional<Trips> Frequencies::tripsOfCounter(LoopId id,
                                                 ValueId comparison) {
  const ExpressionGraph &graph = kernel_.graph;
  ValueId counter = graph.operand(comparison, 0),
          bound = graph.operand(comparison, 1);
  auto moves = [&](ValueId value) {
    return evaluation_.loopsOf(value) & ExpressionGraph::loopBit(id);
  };
  if (!moves(counter))
    std::swap(counter, bound);
  if (!moves(counter) || moves(bound))
    return std::nullopt;
  // A value that each iteration loads is no counter.
  if (!graph.walk(counter, [&](ValueId value) {
        return graph.node(value).op == Op::Loaded && moves(value)
                   ? ExpressionGraph::Walk::Stop
                   : ExpressionGraph::Walk::Into;
      }))
    return std::nullopt;
  Warp warp(evaluation_, shape_.shape, 0, 0, /*trial=*/0);
  pinToMiddle(warp);
  Iterations iterations;
  const bool isOfMiddle = beginsEmpty(warp, id, counter);
  if (isOfMiddle)
    iterations[*kernel_.loops[id].parent] =
        unsigned(trips(*kernel_.loops[id].parent).count / 2);
  const LaneValues first = warp.evaluate(counter, iterations);
  const LaneValues end = warp.evaluate(bound, iterations);
  iterations[id] = 1;
  const LaneValues second = warp.evaluate(counter, iterations);
  iterations[id] = 2;
  const LaneValues third = warp.evaluate(counter, iterations);
  const unsigned bits = graph.node(counter).bits;
  const double from = asSigned(first.value[0], bits),
               next = asSigned(second.value[0], bits),
               after =
                   third.unknown & 1 ? next : asSigned(third.value[0], bits);
  const bool moved = !((first.unknown | second.unknown | third.unknown) & 1);
  // From -2, the steps to -1 and 0 are equal ones.
  const bool isEven = moved && after - next == next - from;
  const bool halves = moved && next != from && !isEven &&
                      std::abs(next) * 2 <= std::abs(from) &&
                      std::abs(after) * 2 <= std::abs(next);
  const bool doubles = moved && from > 0 && next >= 2 * from &&
                       after >= 2 * next && next / from == after / next;
  // A row that the threads of a block walk through is long if an argument says
  // how long.
  const bool isOfData =
      dependsOnData(kernel_, bound) || dependsOnData(kernel_, counter);
  const double least = isOfData ? leastTrips : gridTrips;
  // Of `min(n, 12)` and `min(from + 64, n)`, 12 and 64 limit what is unknown.
  std::optional<double> limit;
  const llvm::ArrayRef<ValueId> limits = valuesOfMinimum(graph, bound);
  if (!limits.empty() && !((first.unknown | end.unknown) & 1))
    limit = std::abs(asSigned(end.value[0], bits) - from);
  else
    for (ValueId each : limits)
      if (const Node &most = graph.node(each); most.op == Op::Constant)
        limit = asSigned(most.number, most.bits);
  // Steps may be known where the ends are not.
  auto through = [&](double length) {
    if (limit)
      length = std::clamp(*limit, 1.0, length);
    if (halves || doubles)
      return Trips{std::max(leastTrips, std::log2(length)), true};
    const double step =
        (first.unknown | second.unknown) & 1 ? 1 : std::abs(next - from);
    return Trips{std::clamp(length / std::max(1.0, step),
                            std::min(least, length), length),
                 true};
  };
  if (first.assumed || end.assumed)
    if (const auto count = countOfAnySize(id, counter, bound); isEven && count)
      return Trips{*count};
  if ((first.unknown | end.unknown) & 1 || first.assumed || end.assumed)
    if (const auto trips = tripsOfRest(id, counter, bound))
      return trips;
  const bool isEndOpen = end.unknown & 1 || end.assumed;
  if (isEndOpen && !isOfData) {
    if (const auto trips = tripsOfGrid(id, counter, bound))
      return *trips;
    if (const auto trips = tripsOfSized(id, counter, bound))
      return *trips;
  }
  if ((end.unknown & 1) || (first.unknown & 1) || (second.unknown & 1))
    return through(isOfData ? dataLength : unknownLength);
  const double to = asSigned(end.value[0], bits);
  const bool isStepAssumed = first.assumed || second.assumed;
  if (isStepAssumed && dependsOn(graph, counter, {Op::GridSize}))
    return Trips{gridTrips, true};
  if (isStepAssumed || end.assumed)
    return through(unknownLength);
  // Neither is a state that each iteration computes anew: `z = z * z + c`.
  if (next == from || (!isEven && !halves && !doubles))
    return std::nullopt;
  const Step step = halves && std::abs(from) >= std::abs(to) ? Step::Halves
                    : doubles && to > from                   ? Step::Doubles
                                                             : Step::Equal;
  const Ends ends = {counter, bound, step,
                     includesBound(graph, comparison, counter, next < from)};
  const auto between = [&](double from, double next, double to) {
    return countBetween(ends, from, next, to);
  };
  Trips trips{between(from, next, to)};
  if (const auto slowest =
          countOfSlowest(evaluation_, shape_, kernel_.loops[id], id, counter,
                         bound, between)) {
    const double warpsOfSm =
        warps().value_or(HUGE_VAL) /
        throughputOf(usualCapability).multiprocessors;
    trips.count = ofSm(slowest->mean, slowest->meanOfBlock,
                       warpsOfSm / warpsPerBlock_);
    trips.longest = ofSm(slowest->ofBlock, slowest->ofAll,
                         warpsOfSm / throughputOf(usualCapability).warps);
  }
  if (isOfMiddle)
    trips.isAssumed = this->trips(*kernel_.loops[id].parent).isAssumed;
  const double more = (isOfMiddle ? 0
                                  : std::max(growth(id, ends, trips.isAssumed),
                                             -trips.count / 2)) +
                      // A condition behind the body decides about the next
                      // iteration.
                      !kernel_.loops[id].testsFirst;
  trips.count = std::clamp(trips.count + more, 1.0, 1e9);
  if (trips.longest)
    trips.longest = std::clamp(*trips.longest + more, 1.0, 1e9);
  return trips;
}

/// The count of a loop over a part of constant length, such as a pointer's 64
/// elements, if it is the same whatever the sizes are.
std::optional<double> Frequencies::countOfAnySize(LoopId id, ValueId counter,
                                                  ValueId bound) {
  std::optional<double> count;
  for (unsigned trial : {0u, 1u, oddSizes, smallSizes}) {
    Warp warp(evaluation_, shape_.shape, 0, 0, trial);
    pinToMiddle(warp);
    Iterations second;
    second[id] = 1;
    const LaneValues from = warp.evaluate(counter, {}),
                     next = warp.evaluate(counter, second),
                     to = warp.evaluate(bound, {});
    if ((from.unknown | next.unknown | to.unknown) & 1)
      return std::nullopt;
    const unsigned bits = kernel_.graph.node(counter).bits;
    const double step = double(asSigned(next.value[0] - from.value[0], bits)),
                 length = double(asSigned(to.value[0] - from.value[0], bits));
    const double here = step ? std::ceil(length / step) : 0;
    if (here < 1 || (count && *count != here))
      return std::nullopt;
    count = here;
  }
  return count;
}

/// The step of a counter, if it is the same whatever the sizes are.
std::optional<double> Frequencies::stepOf(LoopId id, ValueId counter) {
  std::optional<double> step;
  for (unsigned trial = 0; trial < 2; ++trial) {
    Warp warp(evaluation_, shape_.shape, 0, 0, trial);
    Iterations iterations;
    const LaneValues first = warp.evaluate(counter, iterations);
    iterations[id] = 1;
    const LaneValues second = warp.evaluate(counter, iterations);
    if ((first.unknown | second.unknown) & 1)
      return std::nullopt;
    const double moved = std::abs(double(asSigned(
        second.value[0] - first.value[0], kernel_.graph.node(counter).bits)));
    if (step && *step != moved)
      return std::nullopt;
    step = moved;
  }
  return step;
}

/// The count of a loop through elements that the blocks of a known grid share,
/// and whose number is unknown: a grid that the number does not decide leaves
/// more to each thread, the fewer threads it has.
std::optional<Trips> Frequencies::tripsOfGrid(LoopId id, ValueId counter,
                                              ValueId bound) {
  const ExpressionGraph &graph = kernel_.graph;
  const std::optional<double> warps = this->warps();
  if (!warps)
    return std::nullopt;
  const double blocks = *warps / warpsPerBlock_,
               threads = blocks * double(shape_.shape.threads());
  const std::optional<double> step = stepOf(id, counter);
  auto through = [&](double length) {
    return Trips{std::clamp(gridElements / length, gridTrips, unknownLength),
                 true};
  };
  if (dependsOn(graph, counter, {Op::GridSize}))
    return through(step.value_or(threads));
  // A constant that is as large as the grid.
  if (step && *step >= threads && dependsOn(graph, counter, {Op::BlockIndex}))
    return through(*step);
  // A part for each block.
  if (dependsOn(graph, bound, {Op::BlockIndex}) &&
      dependsOn(graph, counter, {Op::BlockSize, Op::ThreadIndex}))
    return through(threads);
  return std::nullopt;
}

double Frequencies::numberIn(Warp &warp, ValueId value,
                             const Iterations &iterations,
                             bool &isKnown) const {
  const LaneValues values = warp.evaluate(value, iterations);
  isKnown &= !(values.unknown & 1) && !values.assumed;
  return asSigned(values.value[0], kernel_.graph.node(value).bits);
}

/// The count of a loop over a grid whose size the bound of the loop decides:
/// one, if the grid has a thread for each element.
std::optional<Trips> Frequencies::tripsOfSized(LoopId id, ValueId counter,
                                               ValueId bound) {
  if (shape_.launches.empty() || !shape_.launches.front().sized ||
      !dependsOn(kernel_.graph, counter, {Op::GridSize}))
    return std::nullopt;
  const SizedGrid &sized = *shape_.launches.front().sized;
  Launched launched;
  llvm::copy(sized.grid, launched.grid.begin());
  launched.arguments = sized.arguments;
  Evaluation evaluation(kernel_, launched);
  Warp warp(evaluation, shape_.shape, 0, 0, /*trial=*/0);
  warp.pin(warp.block());
  Iterations second;
  second[id] = 1;
  bool isKnown = true;
  const double from = numberIn(warp, counter, {}, isKnown),
               next = numberIn(warp, counter, second, isKnown),
               to = numberIn(warp, bound, {}, isKnown);
  if (!isKnown || next == from)
    return std::nullopt;
  const Ends ends = {counter, bound, Step::Equal, /*isInclusive=*/false};
  const double count = countBetween(ends, from, next, to);
  return Trips{std::clamp(count, 1.0, unknownLength), count > 1};
}

/// The count of a loop over the rest of a size: where another loop ended that
/// goes through several elements at once, up to `n % 4`, or from `n / 4 * 4`.
/// Sizes that a power of two divides leave none, and others less than what
/// divides them.
std::optional<Trips> Frequencies::tripsOfRest(LoopId id, ValueId counter,
                                              ValueId bound) {
  constexpr double most = 256; // the elements of a block
  auto through = [&](double elements) {
    const double step = stepOf(id, counter).value_or(1);
    return Trips{std::max(1.0, elements / std::max(1.0, step)), true,
                 /*isShort=*/true};
  };
  if (const auto left = leftByLoop(kernel_, id, counter, bound))
    return *left < most ? std::optional(through(*left / 2.0)) : std::nullopt;
  double length = 0;
  for (unsigned trial = 0; trial < smallSizes; ++trial) {
    Warp warp(evaluation_, shape_.shape, 0, 0, trial);
    pinToMiddle(warp);
    const LaneValues from = warp.evaluate(counter, {}),
                     to = warp.evaluate(bound, {});
    const unsigned bits = kernel_.graph.node(counter).bits;
    const double elements = double(asSigned(to.value[0], bits)) -
                            double(asSigned(from.value[0], bits));
    if ((from.unknown | to.unknown) & 1 || std::abs(elements) >= most ||
        (trial == 0 && elements > 0))
      return std::nullopt;
    length = std::max(length, elements);
  }
  return through(length);
}

double Frequencies::countBetween(const Ends &ends, double from, double next,
                                 double to) {
  double whole = 0;
  switch (ends.step) {
  case Step::Halves:
    // An integer is halved to 0 where one that ends at 1 has one step less.
    whole = std::log2(std::abs(from) / std::max(1.0, std::abs(to)));
    return whole + (ends.isInclusive || to == 0);
  case Step::Doubles:
    return std::log(to / from) / std::log(next / from) + ends.isInclusive;
  case Step::Equal:
    break;
  }
  whole = (to - from) / (next - from);
  return ends.isInclusive ? std::floor(whole) + 1 : std::ceil(whole);
}

/// The iterations that a triangular loop, such as `j < k`, has in the middle of
/// the loop around it beyond those of its first iteration.
double Frequencies::growth(LoopId id, const Ends &ends, bool &isAssumed) {
  const std::optional<LoopId> around = kernel_.loops[id].parent;
  if (!around ||
      !((evaluation_.loopsOf(ends.counter) | evaluation_.loopsOf(ends.bound)) &
        ExpressionGraph::loopBit(*around)))
    return 0;
  Warp warp(evaluation_, shape_.shape, 0, 0, /*trial=*/0);
  pinToMiddle(warp);
  bool isKnown = true;
  auto evaluated = [&](ValueId value, unsigned outer, unsigned inner) {
    Iterations iterations;
    iterations[*around] = outer;
    iterations[id] = inner;
    return numberIn(warp, value, iterations, isKnown);
  };
  auto countIn = [&](unsigned outer) {
    const double count = countBetween(ends, evaluated(ends.counter, outer, 0),
                                      evaluated(ends.counter, outer, 1),
                                      evaluated(ends.bound, outer, 0));
    return std::isfinite(count) ? count : 0;
  };
  const double each = countIn(1) - countIn(0);
  if (!isKnown)
    return 0;
  const Trips outer = trips(*around);
  isAssumed = outer.isAssumed;
  return each * (outer.count - 1) / 2;
}

Frequency Frequencies::of(llvm::ArrayRef<LoopId> loops, ValueId guard) {
  auto [place, isNew] =
      known_.try_emplace({guard, {loops.begin(), loops.end()}});
  if (isNew)
    place->second = compute(loops, guard);
  if (!keepsWarps_)
    warps_.clear();
  return place->second;
}

void Frequencies::release() {
  warps_.clear();
  keepsWarps_ = false;
}

void Frequencies::pinToMiddle(Warp &warp) const {
  // A loop that steps by the whole grid has as many iterations there as in
  // other blocks, but for one.
  if (!shape_.launches.empty() && shape_.launches.front().blocks())
    warp.pin(warp.block());
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
  double count = 1, longest = 1;
  for (LoopId loop : loops) {
    const Trips trips = this->trips(loop);
    count *= trips.count;
    longest *= trips.longest.value_or(trips.count);
  }
  const unsigned warps = std::min(warpsPerBlock_, 32u);
  unsigned blocks = 1;
  if (!shape_.launches.empty())
    if (auto all = shape_.launches.front().blocks(); all && *all <= fewBlocks)
      blocks = std::max<uint64_t>(1, *all);
  double sum = 0, most = 0;
  // Bounds the memory; an evaluated value takes about 300 bytes.
  constexpr long mostKept = 100'000;
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned index = 0; index < warps && !isOverdue(); ++index) {
      if (budgetBefore_ - evaluation_.budget > mostKept)
        warps_.clear();
      if (warps_.empty())
        budgetBefore_ = evaluation_.budget;
      const double share = shareOf(warpOf(block, index), loops, guard);
      sum += share;
      most = std::max(most, share);
    }
  // A probe value may lie behind constant bounds, where no block of a real grid
  // is. What no index of a block decides is the same for all of them: a mode, a
  // flag in memory.
  const bool isElected = dependsOnElection(guard);
  if (const auto last = lastElementsUnder(kernel_, loops, guard);
      last && (blocks == 1 || last->isOfEachBlock)) {
    // One warp has them, the last one of the block or of the grid.
    const double steps = stepsOfLast(*last, loops),
                 warps = last->isOfEachBlock
                             ? warpsPerBlock_
                             : this->warps().value_or(1024.0 * warpsPerBlock_);
    return {steps / warps, steps};
  }
  if (!most && !isElected && !isOfEdge(kernel_.graph, guard) &&
      (hasGridBound(kernel_.graph, guard) ||
       !differsByBlock(kernel_.graph, guard)))
    if (const Frequency any = shareOfSecondBlock(loops, guard); any.perWarp)
      return {count * any.perWarp, longest * any.longest};
  // No thread of a block in the middle of the grid: one block does it.
  if (!most || isElected) {
    const double all = this->warps().value_or(1024.0 * warpsPerBlock_);
    return {count / all, longest};
  }
  const double part = blocks == 1 ? blocksUnderGuard(loops, guard) : 1;
  return {count * sum / (warps * blocks) * part, longest * most, part};
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
  std::vector<ValueId> conditions;
  addConditions(kernel_.graph, guard, conditions);
  for (LoopId loop : loops)
    addConditions(kernel_.graph, kernel_.loops[loop].enters, conditions);
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
               multiprocessors =
                   throughputOf(usualCapability).multiprocessors;
  return std::max(part, 1 / std::max(1.0, blocks / multiprocessors));
}

/// The share of the warps of the second block along x, y and z, whatever the
/// sizes are, and of the warp that executes most. What one block alone does,
/// the first one does.
Frequency Frequencies::shareOfSecondBlock(llvm::ArrayRef<LoopId> loops,
                                          ValueId guard) {
  const unsigned warps = std::min(warpsPerBlock_, 32u);
  Frequency share;
  for (unsigned i = 0; i < warps && !isOverdue(); ++i) {
    const double one = shareOf(warpOfSecondBlock(i), loops, guard);
    share.perWarp += one / warps;
    share.longest = std::max(share.longest, one);
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
  return isMoving ? share : warp.may(guard, first) ? 1 : 0;
}

/// Tells a condition that holds in one iteration, such as `k == 0`, from one
/// that holds in each second.
double Frequencies::shareInLoop(Warp &warp, LoopId loop, ValueId guard) {
  constexpr unsigned samples = 8;
  const double count = trips(loop).count;
  const unsigned sampled = std::min<double>(samples, std::ceil(count));
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
    return 1;
  // Such as a bound of the grid, or `!found`, not a certain iteration.
  if ((!held && (hasGridBound(kernel_.graph, guard) ||
                 isOfEdge(kernel_.graph, guard))) ||
      (held <= 1 && !warp.doubts() && dependsOnData(kernel_, guard)))
    return 0;
  return held <= 1 ? 1 / count : double(held) / sampled;
}

} // namespace warplint
