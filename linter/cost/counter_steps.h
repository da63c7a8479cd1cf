// How a loop's counter moves, and how many iterations it takes to its bound.
#pragma once
#include "cost/warp.h"
#include "model/model.h"
#include <optional>

namespace warplint {

/// How a counter moves from one iteration to the next: by the same, or by half
/// or several times of what it is.
enum class CounterStep { Equal, Halves, Doubles };

/// The first values of a counter, in the first lane.
struct FirstSteps {
  double from = 0, next = 0; ///< in the first and in the second iteration
  bool isFromKnown = false, isNextKnown = false;     ///< some may be assumed
  bool isFromAssumed = false, isNextAssumed = false; ///< they rest on sizes
  /// Those of the first three iterations; none for a state that each iteration
  /// computes anew, `z = z * z + c`, and if one of them is unknown.
  std::optional<CounterStep> step;
};

/// Evaluates `counter` in the first iterations of `loop`, and in `around` of
/// the loops around it.
FirstSteps firstSteps(Warp &warp, const ExpressionGraph &graph, LoopId loop,
                      ValueId counter, Iterations around);

struct CounterEnds {
  ValueId counter, bound;
  CounterStep step;
  bool isInclusive; ///< the counter reaches the bound
};

/// Returns true if a loop whose counter moves towards the bound of `comparison`
/// goes on at that bound, as `i <= n` and `!(n < i)` do.
bool includesBound(const ExpressionGraph &graph, ValueId comparison,
                   ValueId counter, bool isDown);

/// Returns the iterations of a counter that begins at `from`, goes on with
/// `next` and ends at `to`. Not finite where these are equal.
double countBetween(const CounterEnds &ends, double from, double next,
                    double to);

/// Returns how far `value` moves in an iteration of `loop`, in its own unit, if
/// that is the same whatever the sizes are.
std::optional<double> stepIn(LoopId loop, ValueId value, Evaluation &evaluation,
                             Shape shape);

/// Trials with sizes that have little in common.
inline constexpr unsigned sizeTrials[] = {0, 1, oddSizes, smallSizes};

/// Returns the count of a loop over a part of constant length, such as a
/// pointer's 64 elements, if it is the same whatever the sizes are.
std::optional<double> countOfAnySize(Evaluation &evaluation,
                                     const KernelShape &shape, LoopId loop,
                                     ValueId counter, ValueId bound);

} // namespace warplint
