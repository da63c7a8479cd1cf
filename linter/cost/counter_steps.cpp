#include "cost/counter_steps.h"
#include "cost/launched_warps.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

namespace warplint {

static std::optional<CounterStep> stepThrough(double from, double next,
                                              double after) {
  // From -2, the steps to -1 and 0 are equal ones.
  if (after - next == next - from)
    return CounterStep::Equal;
  if (next != from && std::abs(next) * 2 <= std::abs(from) &&
      std::abs(after) * 2 <= std::abs(next))
    return CounterStep::Halves;
  if (from > 0 && next >= 2 * from && after >= 2 * next &&
      next / from == after / next)
    return CounterStep::Doubles;
  return std::nullopt;
}

FirstSteps firstSteps(Warp &warp, const ExpressionGraph &graph, LoopId loop,
                      ValueId counter, Iterations around) {
  const LaneValues first = warp.evaluate(counter, around);
  around[loop] = 1;
  const LaneValues second = warp.evaluate(counter, around);
  around[loop] = 2;
  const LaneValues third = warp.evaluate(counter, around);
  auto number = [&](const LaneValues &values) {
    return double(
        llvm::SignExtend64(values.value[0], graph.node(counter).bits));
  };
  FirstSteps steps;
  steps.from = number(first);
  steps.next = number(second);
  steps.isFromKnown = !(first.unknown & 1);
  steps.isNextKnown = !(second.unknown & 1);
  steps.isFromAssumed = first.assumed;
  steps.isNextAssumed = second.assumed;
  if (steps.isFromKnown && steps.isNextKnown && !(third.unknown & 1))
    steps.step = stepThrough(steps.from, steps.next, number(third));
  return steps;
}

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

double countBetween(const CounterEnds &ends, double from, double next,
                    double to) {
  double whole = 0;
  switch (ends.step) {
  case CounterStep::Halves:
    // An integer is halved to 0 where one that ends at 1 has one step less.
    whole = std::log2(std::abs(from) / std::max(1.0, std::abs(to)));
    return whole + (ends.isInclusive || to == 0);
  case CounterStep::Doubles:
    return std::log(to / from) / std::log(next / from) + ends.isInclusive;
  case CounterStep::Equal:
    break;
  }
  whole = (to - from) / (next - from);
  return ends.isInclusive ? std::floor(whole) + 1 : std::ceil(whole);
}

std::optional<double> stepIn(LoopId loop, ValueId value, Evaluation &evaluation,
                             Shape shape) {
  std::optional<double> step;
  for (unsigned trial = 0; trial < 2; ++trial) {
    Warp warp(evaluation, shape, 0, 0, trial);
    Iterations iterations;
    const LaneValues first = warp.evaluate(value, iterations);
    iterations[loop] = 1;
    const LaneValues second = warp.evaluate(value, iterations);
    if ((first.unknown | second.unknown) & 1)
      return std::nullopt;
    const double moved = std::abs(
        double(llvm::SignExtend64(second.value[0] - first.value[0],
                                  evaluation.kernel.graph.node(value).bits)));
    if (step && *step != moved)
      return std::nullopt;
    step = moved;
  }
  return step;
}

std::optional<double> countOfAnySize(Evaluation &evaluation,
                                     const KernelShape &shape, LoopId loop,
                                     ValueId counter, ValueId bound) {
  std::optional<double> count;
  for (unsigned trial : sizeTrials) {
    Warp warp(evaluation, shape.shape, 0, 0, trial);
    pinToMiddle(warp, shape);
    Iterations second;
    second[loop] = 1;
    const LaneValues from = warp.evaluate(counter, {}),
                     next = warp.evaluate(counter, second),
                     to = warp.evaluate(bound, {});
    if ((from.unknown | next.unknown | to.unknown) & 1)
      return std::nullopt;
    const unsigned bits = evaluation.kernel.graph.node(counter).bits;
    const double step = double(
                     llvm::SignExtend64(next.value[0] - from.value[0], bits)),
                 length = double(
                     llvm::SignExtend64(to.value[0] - from.value[0], bits));
    const double here = step ? std::ceil(length / step) : 0;
    if (here < 1 || (count && *count != here))
      return std::nullopt;
    count = here;
  }
  return count;
}

} // namespace warplint
