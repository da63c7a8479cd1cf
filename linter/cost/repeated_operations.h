// Which operations of a kernel take the result of an earlier one, as the
// compiler's elimination of common subexpressions has it.
//
// One serves where it is executed for certain: its condition is part of the
// other's, its loops are around the other (nvcc 13.0, sm_90: 'i / n' before
// 'if (m > 3)' and 'i % n' below it are one division; a remainder in a branch
// that is computed behind it, too, moves before it; the reciprocal of a divisor
// that a loop leaves as it is stands before the loop, or once in each copy of
// four iterations, unless the division is under a condition).
#pragma once
#include "model/model.h"
#include "model/pipe_counts.h"
#include <vector>

namespace warplint {

/// By operation: true if another one computes the same from the same inputs.
std::vector<bool> repeatedOperations(const Kernel &kernel);

/// By operation, what a division of integers takes from an earlier one: the
/// reciprocal of its divisor, or its quotient; and what it is less by since
/// unrolling makes its divisor a constant, 'x % step' with steps of 1, 2, 4.
/// `repeated` is the result of repeatedOperations.
std::vector<PipeCounts> sharedByDivisions(const Kernel &kernel,
                                          const std::vector<bool> &repeated);

} // namespace warplint
