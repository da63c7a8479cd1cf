// Finds what decides how many iterations a loop has: constants, the launch, or
// data.
#pragma once
#include "model/model.h"

namespace warplint {

/// Returns true if constants alone limit the iterations, also where something
/// else may end them earlier, such as data or a smaller size: compilers can
/// unroll such a loop as a whole.
bool isLimitedByConstants(const Kernel &kernel, LoopId loop);

/// The most iterations that a loop can have whose counter grows by a constant
/// and stays below a constant, a minimum with one, or what counters of the loops
/// around it give: `for (j = k + 1; j < 6; ++j)` in a loop over `k`. Or falls by
/// a constant, and stays above a constant or what such counters give.
std::optional<uint64_t> mostIterations(const Kernel &kernel, LoopId loop);

/// A counter, and the most iterations that it leaves its loop.
struct LimitedCounter {
  ValueId counter;
  uint64_t iterations;
};

/// What mostIterations counts; none without a counter of this form.
std::optional<LimitedCounter> limitedCounter(const Kernel &kernel, LoopId loop);

/// The numbers from one to another one, both included.
struct NumberRange {
  int64_t least, most;
};

/// What a value may be that constants and the counters of loops around `loop`
/// give, if constants limit these loops; none for another value.
std::optional<NumberRange> rangeOfCounters(const Kernel &kernel, ValueId value,
                                           LoopId loop);

/// Returns true if where the counter begins, its step or its limit depends on
/// the thread: threads divide the iterations among themselves.
bool dividesAmongThreads(const Kernel &kernel, LoopId loop);

/// Returns true if a value is the same in all threads of the grid and a
/// constant of the program could take its place: an argument, a captured
/// variable, a member of one or constant memory, the block's size, and what is
/// computed from them alone.
bool isOfArguments(const Kernel &kernel, ValueId value);

/// Returns true if that holds for the loop's bound.
bool isBoundByArguments(const Kernel &kernel, LoopId loop);

/// The source of the number of iterations of a loop.
struct Length {
  std::vector<ValueId> arguments;
  /// It runs from as far before an element as behind it: from `-r` to `r`, or
  /// from `i - r` to `i + r`.
  bool isWindow = false;
};

/// The arguments that alone decide the length of a loop whose counter moves by
/// a constant, such as isBoundByArguments wants them; none otherwise. They need
/// not be the bound: `k >= 0` counts down from an argument, and from `i - r` to
/// `i + r` it is `r` alone.
Length lengthOf(const Kernel &kernel, LoopId loop);

/// The steps of the loop's counter through the smallest array of known size
/// that it indexes, in local, shared or constant memory: no loop over it is
/// longer.
std::optional<uint64_t> iterationsInArray(const Kernel &kernel, LoopId loop);

} // namespace warplint
