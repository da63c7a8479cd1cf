#include "cost/trip_counts.h"
#include "cost/conditions.h"
#include "cost/counter_steps.h"
#include "cost/halved_range.h"
#include "cost/launched_warps.h"
#include "cost/left_over.h"
#include "cost/loop_bound.h"
#include "cost/reached.h"
#include "cost/shifted_values.h"
#include "cost/slowest_lanes.h"
#include "cost/stepped_memory.h"
#include "cost/terms.h"
#include "cost/throughput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

namespace warplint {

namespace {

/// What an SM has of something of which its blocks have `mean` on average, and
/// one has `most`: the more blocks each SM executes one after the other, the
/// less they differ.
double ofSm(double mean, double most, double blocks) {
  return mean + (most - mean) / std::max(1.0, blocks);
}

} // namespace

Trips TripCounts::of(LoopId loop) {
  auto [place, isNew] = trips_.try_emplace(loop);
  if (!isNew)
    return place->second;
  Trips trips = compute(loop);
  if (trips.isAssumed && !trips.isShort && shiftsAValue(kernel_, loop))
    trips = {std::min(trips.count, std::log2(unknownLength)), true,
             /*isShort=*/true};
  if (trips.isAssumed)
    for (const auto most :
         {iterationsThroughArrays(evaluation_, shape_.shape, loop),
          iterationsThroughRows(evaluation_, shape_.shape, loop)})
      if (most && *most < trips.count)
        trips = {*most, true, /*isShort=*/true};
  return trips_[loop] = trips;
}

/// Returns true if the text of a loop's bound names a size. A loop that counts
/// down to 0 has its size in its first value; '1.0' limits data, and '-1' ends
/// a list. What an atomic or a shuffle gives, as in 'while (seen != old)', is
/// no size either.
static bool isSize(const Kernel &kernel, const Loop &loop) {
  const llvm::StringRef value = llvm::StringRef(loop.boundText).ltrim("+-( ");
  if (value.empty() ||
      dependsOn(kernel.graph, loop.hasBound ? loop.bound : loop.continues,
                {Op::Varying}))
    return false;
  return loop.hasBound ? kernel.graph.node(loop.bound).op != Op::Constant
                       : !llvm::isDigit(value.front());
}

std::vector<std::string> TripCounts::assumedBounds() const {
  std::vector<std::string> texts;
  for (const auto &[id, trips] : trips_) {
    const Loop &loop = kernel_.loops[id];
    if (trips.isAssumed && !trips.isShort && isSize(kernel_, loop) &&
        !llvm::is_contained(texts, loop.boundText))
      texts.push_back(loop.boundText);
  }
  return texts;
}

/// Returns true if a value that a loop carries is made of what it was before.
static bool goesOnWithItself(const ExpressionGraph &graph, ValueId carried) {
  return !graph.walk(graph.operand(carried, 1), [&](ValueId value) {
    return value == carried ? ExpressionGraph::Walk::Stop
                            : ExpressionGraph::Walk::Into;
  });
}

/// Returns true for a loop that ends when a clock or another thread says so, as
/// `while (*flag == 0);` does: no iteration stores, or goes on with what the
/// one before computed. The time that it takes is theirs: it counts as one
/// iteration.
static bool isWait(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  return llvm::none_of(kernel.accesses,
                       [&](const Access &access) {
                         return access.operation != Operation::Load &&
                                llvm::is_contained(access.loops, loop);
                       }) &&
         graph.walk(kernel.loops[loop].continues, [&](ValueId value) {
           const Node &node = graph.node(value);
           // That the loop goes on is carried, too.
           return node.op == Op::Carried && node.number == loop &&
                          node.bits > 1 && goesOnWithItself(graph, value)
                      ? ExpressionGraph::Walk::Stop
                      : ExpressionGraph::Walk::Into;
         });
}

Trips TripCounts::compute(LoopId id) {
  const Loop &loop = kernel_.loops[id];
  if (loop.tripCount)
    return {std::max(1.0, double(*loop.tripCount)), false};
  if (isWait(kernel_, id) || endsAtOnce(id))
    return {1, false};
  // Each end limits the loop. A known one says more than an estimate.
  std::optional<Trips> found;
  llvm::SmallVector<ValueId> others; // comparisons of no counter
  kernel_.graph.walk(loop.continues, [&](ValueId node) {
    if (!isComparison(kernel_.graph.node(node).op))
      return ExpressionGraph::Walk::Into;
    if (const std::optional<Trips> trips = tripsOfCounter(id, node)) {
      if (!found || std::tie(trips->isAssumed, trips->count) <
                        std::tie(found->isAssumed, found->count))
        found = trips;
    } else {
      others.push_back(node);
    }
    return ExpressionGraph::Walk::Past;
  });
  if (const auto range = halvedRange(kernel_, id)) {
    const Trips trips = tripsOfHalving(range->one, range->other);
    return found && found->count < trips.count ? *found : trips;
  }
  // What no iteration changes, such as `i < view.size` of the thread's element,
  // says whether the loop is entered.
  auto mayEndByData = [&](ValueId node) {
    return dependsOn(kernel_.graph, node, {Op::Varying}) ||
           (evaluation_.loopsOf(node) & ExpressionGraph::loopBit(id) &&
            dependsOnData(kernel_, node));
  };
  if (found)
    return found->count > dataLength && llvm::any_of(others, mayEndByData)
               ? Trips{dataLength, true}
               : *found;
  if (dependsOnData(kernel_, loop.continues))
    return {dataLength, true};
  return {unknownLength, true};
}

/// Returns true if a condition that is the same in all threads ends the loop
/// after its first iteration, whatever else is unknown: `i < n && i < 1`, of
/// which the compiler keeps a flag and no counter.
bool TripCounts::endsAtOnce(LoopId id) {
  std::vector<ValueId> conditions;
  addConditions(kernel_.graph, kernel_.loops[id].continues, conditions);
  Warp warp(evaluation_, shape_.shape, 0, 0, /*trial=*/0);
  warp.doubt();
  Iterations ending; // the one whose condition ends the loop
  ending[id] = kernel_.loops[id].testsFirst;
  return llvm::any_of(conditions, [&](ValueId condition) {
    return !(evaluation_.loopsOf(condition) & ~ExpressionGraph::loopBit(id)) &&
           !dependsOn(kernel_.graph, condition,
                      {Op::ThreadIndex, Op::BlockIndex, Op::Loaded}) &&
           !warp.may(condition, ending);
  });
}

/// Returns true if the loop around another one decides where its counter
/// begins, and the counter stays at 0 in the first iteration of that loop, as
/// `stride` of `for (stride = size / 4; stride > 0; stride /= 2)` does in
/// `for (size = 2; size <= n; size *= 2)`.
bool TripCounts::beginsEmpty(Warp &warp, LoopId id, ValueId counter) {
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

/// Adds the numbers that a value is chosen from, or that are the first and the
/// last ones of them: where another loop may end. Returns false if one is
/// unknown.
bool TripCounts::addChoices(Warp &warp, ValueId value,
                            llvm::SmallVectorImpl<double> &numbers) {
  constexpr size_t most = 16;
  const ExpressionGraph &graph = kernel_.graph;
  const Node &node = graph.node(value);
  const llvm::ArrayRef<ValueId> operands = graph.operands(value);
  if (numbers.size() > most)
    return false;
  if (const auto choices = alternativesOf(graph, value); !choices.empty())
    return llvm::all_of(choices, [&](ValueId choice) {
      return addChoices(warp, choice, numbers);
    });
  if (evaluation_.loopsOf(value)) // others in each iteration of a loop around
    return false;
  bool isKnown = true;
  if (node.op == Op::Final && graph.node(operands[0]).op == Op::Carried) {
    const LoopId loop = LoopId(node.number);
    Iterations second;
    second[loop] = 1;
    const double from = numberIn(warp, operands[0], {}, isKnown),
                 next = numberIn(warp, operands[0], second, isKnown);
    numbers.push_back(from);
    numbers.push_back(from + (next - from) * of(loop).count);
    return isKnown && !of(loop).isAssumed;
  }
  numbers.push_back(numberIn(warp, value, {}, isKnown));
  return isKnown;
}

/// The most elements between the ends of a loop, where data choose between
/// known ones: from the last element of a list down to the one that another
/// loop has found.
std::optional<double> TripCounts::mostChosen(Warp &warp, LoopId id,
                                             ValueId counter, ValueId bound) {
  const Node &carried = kernel_.graph.node(counter);
  if (carried.op != Op::Carried || carried.number != id)
    return std::nullopt;
  llvm::SmallVector<double> from, to;
  if (!addChoices(warp, kernel_.graph.operand(counter, 0), from) ||
      !addChoices(warp, bound, to) || from.size() + to.size() < 3)
    return std::nullopt;
  double most = 0;
  for (double first : from)
    for (double last : to)
      most = std::max(most, std::abs(last - first));
  return most;
}

/// Returns true if the first iteration of the loop around finds one element or
/// none, whatever the sizes are, and data decide how many later ones find, as
/// in a list that grows.
bool TripCounts::growsWithData(LoopId id, ValueId counter, ValueId bound) {
  const auto around = kernel_.loops[id].parent;
  if (!around || !dependsOnData(kernel_, bound))
    return false;
  Iterations second;
  second[*around] = 1;
  return llvm::all_of(sizeTrials, [&](unsigned trial) {
    Warp warp(evaluation_, shape_.shape, 0, 0, trial);
    pinToMiddle(warp, shape_);
    const LaneValues from = warp.evaluate(counter, {}),
                     to = warp.evaluate(bound, {}),
                     next = warp.evaluate(bound, second);
    const int64_t elements = llvm::SignExtend64(to.value[0] - from.value[0],
                                                kernel_.graph.node(bound).bits);
    return !((from.unknown | to.unknown) & 1) && std::abs(elements) <= 1 &&
           (next.unknown & 1 || next.assumed);
  });
}

/// The count of a loop whose counter moves in equal steps, or by halves, to a
/// bound; nothing if `comparison` is no such end.
std::optional<Trips> TripCounts::tripsOfCounter(LoopId id, ValueId comparison) {
  const ExpressionGraph &graph = kernel_.graph;
  ValueId value = graph.operand(comparison, 0),
          bound = graph.operand(comparison, 1);
  auto moves = [&](ValueId one) {
    return evaluation_.loopsOf(one) & ExpressionGraph::loopBit(id);
  };
  if (!moves(value))
    std::swap(value, bound);
  if (!moves(value) || moves(bound))
    return std::nullopt;
  // A value that each iteration loads is no counter.
  if (!graph.walk(value, [&](ValueId one) {
        return graph.node(one).op == Op::Loaded && moves(one)
                   ? ExpressionGraph::Walk::Stop
                   : ExpressionGraph::Walk::Into;
      }))
    return std::nullopt;
  Warp warp(evaluation_, shape_.shape, 0, 0, /*trial=*/0);
  pinToMiddle(warp, shape_);
  Counter counter{id, value, bound};
  counter.isOfMiddle = beginsEmpty(warp, id, value);
  Iterations iterations;
  if (counter.isOfMiddle)
    iterations[*kernel_.loops[id].parent] =
        unsigned(of(*kernel_.loops[id].parent).count / 2);
  counter.steps = firstSteps(warp, graph, id, value, iterations);
  counter.end = warp.evaluate(bound, iterations);
  counter.isOfData =
      dependsOnData(kernel_, bound) || dependsOnData(kernel_, value);
  const auto limit = limitOf(warp, counter);
  const FirstSteps &steps = counter.steps;
  const bool isEndKnown = !(counter.end.unknown & 1);
  if (growsWithData(id, value, bound))
    return through(
        counter, limit,
        std::clamp(of(*kernel_.loops[id].parent).count / 2, 1.0, dataLength));
  if (steps.isFromAssumed || counter.end.assumed)
    if (const auto count =
            countOfAnySize(evaluation_, shape_, id, value, bound);
        count && steps.step == CounterStep::Equal)
      return Trips{*count};
  if (!steps.isFromKnown || !isEndKnown || steps.isFromAssumed ||
      counter.end.assumed)
    if (const auto trips = tripsOfRest(id, value, bound))
      return trips;
  if ((!isEndKnown || counter.end.assumed) && !counter.isOfData) {
    if (const auto trips = tripsOfGrid(id, value, bound))
      return *trips;
    if (const auto trips = tripsOfSized(id, value, bound))
      return *trips;
  }
  if (!isEndKnown || !steps.isFromKnown || !steps.isNextKnown)
    return through(counter, limit,
                   counter.isOfData ? dataLength : unknownLength);
  const bool isStepAssumed = steps.isFromAssumed || steps.isNextAssumed;
  if (isStepAssumed && dependsOn(graph, value, {Op::GridSize}))
    return Trips{gridTrips, true};
  if (isStepAssumed || counter.end.assumed)
    return through(counter, limit, unknownLength);
  return tripsOfKnown(counter, comparison);
}

/// The most elements between the ends of a counter, where constants or lists
/// limit what only the run knows.
std::optional<double> TripCounts::limitOf(Warp &warp, const Counter &counter) {
  const FirstSteps &steps = counter.steps;
  const LaneValues &end = counter.end;
  std::optional<double> limit;
  // Of `min(n, 12)` and `min(from + 64, n)`, 12 and 64 limit what is unknown.
  const llvm::ArrayRef<ValueId> limits =
      valuesOfMinimum(kernel_.graph, counter.bound);
  auto bitsOf = [&](ValueId value) { return kernel_.graph.node(value).bits; };
  if (!limits.empty() && steps.isFromKnown && !(end.unknown & 1))
    limit = std::abs(llvm::SignExtend64(end.value[0], bitsOf(counter.value)) -
                     steps.from);
  else
    for (ValueId each : limits)
      if (const LaneValues most = warp.evaluate(each, {});
          !(most.unknown & 1) && !most.assumed)
        limit = llvm::SignExtend64(most.value[0], bitsOf(each)) -
                (steps.isFromKnown && !steps.isFromAssumed ? steps.from : 0);
  if (counter.isOfData && steps.step == CounterStep::Equal && !limit)
    if (const auto most =
            mostChosen(warp, counter.loop, counter.value, counter.bound))
      limit = *most / 2; // on average
  return limit;
}

/// The count of a loop over `length` elements, an estimate, of which there are
/// `limit` at most. Steps may be known where the ends are not.
Trips TripCounts::through(const Counter &counter, std::optional<double> limit,
                          double length) {
  // A row that the threads of a block walk through is long if an argument says
  // how long.
  const double least = counter.isOfData ? leastTrips : gridTrips;
  if (limit)
    length = std::clamp(*limit, 1.0, length);
  const std::optional<double> most =
      mostBetween(kernel_, shape_.shape, counter.value, counter.bound,
                  [&](LoopId other) { return of(other).count; });
  // A known end of a minimum is the limit itself.
  const bool isShort = most && *most <= length;
  if (isShort)
    length = std::max(1.0, *most);
  const FirstSteps &steps = counter.steps;
  if (steps.step && *steps.step != CounterStep::Equal)
    return {std::max(leastTrips, std::log2(length)), true, isShort};
  const double step = steps.isFromKnown && steps.isNextKnown
                          ? std::abs(steps.next - steps.from)
                          : 1;
  return {
      std::clamp(length / std::max(1.0, step), std::min(least, length), length),
      true, isShort};
}

/// The count of a counter whose first values and end are known; none for a
/// state that each iteration computes anew: `z = z * z + c`.
std::optional<Trips> TripCounts::tripsOfKnown(const Counter &counter,
                                              ValueId comparison) {
  const double from = counter.steps.from, next = counter.steps.next;
  const LoopId id = counter.loop;
  const double to = llvm::SignExtend64(counter.end.value[0],
                                       kernel_.graph.node(counter.value).bits);
  if (next == from || !counter.steps.step)
    return std::nullopt;
  const bool isTowards = *counter.steps.step == CounterStep::Halves
                             ? std::abs(from) >= std::abs(to)
                             : to > from;
  const CounterEnds ends = {
      counter.value, counter.bound,
      isTowards ? *counter.steps.step : CounterStep::Equal,
      includesBound(kernel_.graph, comparison, counter.value, next < from)};
  const auto between = [&](double first, double second, double last) {
    return countBetween(ends, first, second, last);
  };
  Trips trips{between(from, next, to)};
  if (const auto slowest = countOfSlowest(
          evaluation_, shape_, id, counter.value, counter.bound, between)) {
    const double warpsOfSm = launchedWarps(shape_).value_or(HUGE_VAL) /
                             throughputOf(usualCapability).multiprocessors;
    trips.count = ofSm(slowest->mean, slowest->meanOfBlock,
                       warpsOfSm / shape_.shape.warps());
    trips.longest = ofSm(slowest->ofBlock, slowest->ofAll,
                         warpsOfSm / throughputOf(usualCapability).warps);
  }
  if (counter.isOfMiddle)
    trips.isAssumed = of(*kernel_.loops[id].parent).isAssumed;
  const double more =
      (counter.isOfMiddle
           ? 0
           : std::max(growth(id, ends, trips.isAssumed), -trips.count / 2)) +
      // A condition behind the body decides about the next iteration.
      !kernel_.loops[id].testsFirst;
  trips.count = std::clamp(trips.count + more, 1.0, 1e9);
  if (trips.longest)
    trips.longest = std::clamp(*trips.longest + more, 1.0, 1e9);
  return trips;
}

/// The count of a loop through elements that the blocks of a known grid share,
/// and whose number is unknown: a grid that the number does not decide leaves
/// more to each thread, the fewer threads it has.
std::optional<Trips> TripCounts::tripsOfGrid(LoopId id, ValueId counter,
                                             ValueId bound) {
  const ExpressionGraph &graph = kernel_.graph;
  const std::optional<double> warps = launchedWarps(shape_);
  if (!warps)
    return std::nullopt;
  const double blocks = *warps / shape_.shape.warps(),
               threads = blocks * double(shape_.shape.threads());
  const std::optional<double> step =
      stepIn(id, counter, evaluation_, shape_.shape);
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

double TripCounts::numberIn(Warp &warp, ValueId value,
                            const Iterations &iterations, bool &isKnown) const {
  const LaneValues values = warp.evaluate(value, iterations);
  isKnown &= !(values.unknown & 1) && !values.assumed;
  return llvm::SignExtend64(values.value[0], kernel_.graph.node(value).bits);
}

/// The count of a loop that halves what is between two values.
Trips TripCounts::tripsOfHalving(ValueId one, ValueId other) {
  Warp warp(evaluation_, shape_.shape, 0, 0, /*trial=*/0);
  pinToMiddle(warp, shape_);
  bool isKnown = true;
  const double length = std::abs(numberIn(warp, one, {}, isKnown) -
                                 numberIn(warp, other, {}, isKnown));
  return {std::ceil(std::log2(std::max(2.0, isKnown ? length : gridElements))),
          !isKnown};
}

/// The count of a loop over a grid whose size the bound of the loop decides:
/// one, if the grid has a thread for each element.
std::optional<Trips> TripCounts::tripsOfSized(LoopId id, ValueId counter,
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
  const CounterEnds ends = {counter, bound, CounterStep::Equal,
                            /*isInclusive=*/false};
  const double count = countBetween(ends, from, next, to);
  return Trips{std::clamp(count, 1.0, unknownLength), count > 1};
}

/// The count of a loop over the rest of a size: where another loop ended that
/// goes through several elements at once, up to `n % 4`, or from `n / 4 * 4`.
/// Sizes that a power of two divides leave none, and others less than what
/// divides them.
std::optional<Trips> TripCounts::tripsOfRest(LoopId id, ValueId counter,
                                             ValueId bound) {
  constexpr double most = 256; // the elements of a block
  auto through = [&](double elements) {
    const double step =
        stepIn(id, counter, evaluation_, shape_.shape).value_or(1);
    return Trips{std::max(1.0, elements / std::max(1.0, step)), true,
                 /*isShort=*/true};
  };
  if (const auto left = leftByLoop(kernel_, id, counter, bound))
    return *left < most ? std::optional(through(*left / 2.0)) : std::nullopt;
  double length = 0;
  for (unsigned trial = 0; trial < smallSizes; ++trial) {
    Warp warp(evaluation_, shape_.shape, 0, 0, trial);
    pinToMiddle(warp, shape_);
    const LaneValues from = warp.evaluate(counter, {}),
                     to = warp.evaluate(bound, {});
    const unsigned bits = kernel_.graph.node(counter).bits;
    const double elements = double(llvm::SignExtend64(to.value[0], bits)) -
                            double(llvm::SignExtend64(from.value[0], bits));
    if ((from.unknown | to.unknown) & 1 || std::abs(elements) >= most ||
        (trial == 0 && elements > 0))
      return std::nullopt;
    length = std::max(length, elements);
  }
  return through(length);
}

/// The iterations that a triangular loop, such as `j < k`, has in the middle of
/// the loop around it beyond those of its first iteration.
double TripCounts::growth(LoopId id, const CounterEnds &ends, bool &isAssumed) {
  const std::optional<LoopId> around = kernel_.loops[id].parent;
  if (!around ||
      !((evaluation_.loopsOf(ends.counter) | evaluation_.loopsOf(ends.bound)) &
        ExpressionGraph::loopBit(*around)))
    return 0;
  Warp warp(evaluation_, shape_.shape, 0, 0, /*trial=*/0);
  pinToMiddle(warp, shape_);
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
  const Trips outer = of(*around);
  isAssumed = outer.isAssumed;
  return each * (outer.count - 1) / 2;
}

} // namespace warplint
