// Says why floats are computed in double, and what ends it.
#pragma once
#include "cost/double_islands.h"
#include <string>

namespace warplint {

/// Why an operation is one on doubles, in the source's words.
struct DoubleCause {
  enum { Nothing, Variable, Function, Constant, Literal } kind = Nothing;
  std::string text;
};

/// The operation of the island that shows the cause best, the first of these.
unsigned culpritOf(const Kernel &kernel, const DoubleIsland &island,
                   DoubleCause &cause);

/// The remedy, with all doubles that it has to end: each alone keeps the
/// island. `culprit`: where it is told.
std::string cureOf(const Kernel &kernel, const DoubleIsland &island,
                   const DoubleCause &cause, const Written &culprit);

} // namespace warplint
