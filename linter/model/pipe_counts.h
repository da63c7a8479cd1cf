// A computation to the machine instructions that it becomes, by pipe: the one
// table of what arithmetic costs.
//
// Throughput by pipe and architecture is in cost/throughput.
#pragma once
#include "model/model.h"

namespace warplint {

/// Instructions that one thread executes, by the part of an SM that does.
struct PipeCounts {
  double fma = 0;     ///< float and half arithmetic, products of integers
  double alu = 0;     ///< sums, logic, shifts, comparisons, selects
  double doubles = 0; ///< FP64
  double special = 0; ///< XU: reciprocals, roots, functions, conversions
  double memory = 0;  ///< LSU: loads, stores, atomics, shuffles
  double control = 0; ///< branches, barriers
  /// Of `alu`, those that the compiler gives to the FMA pipe where the ALU has
  /// more to do: sums and left shifts of 32 bits (IMAD.IADD, IMAD.SHL).
  double movable = 0;
  /// Passes of the half of the FMA pipe that multiplies integers: one for a
  /// product of 32 bits, two for one of 64 or for its upper half.
  double products = 0;

  double all() const {
    return fma + alu + doubles + special + memory + control;
  }
  PipeCounts &operator+=(const PipeCounts &other);
  PipeCounts operator*(double factor) const;
};

/// Returns true for what is several instructions, among them sums and products:
/// divisions, roots and functions.
bool isExpanded(Compute kind);

/// On the path of usual values. `function` is the name of the function that a
/// Function or Call calls, `divisor` what a division divides by if that is a
/// constant.
PipeCounts pipesOf(const Computation &computation, const std::string &function,
                   std::optional<double> divisor);
PipeCounts pipesOf(const Kernel &kernel, const Computation &computation);

/// Adds them to what is executed in one place.
void addPipes(const PipeCounts &pipes, Arithmetic &work);

} // namespace warplint
