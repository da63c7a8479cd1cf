// How long L2 takes for the atomics of a request that meet in a small memory.
#pragma once
#include <optional>

namespace warplint {

/// How the lanes of a request meet in the memory that a launch updates.
struct Updates {
  double memory = 0;  ///< bytes of the sectors with an address that is updated
                      ///< at the same time
  double sectors = 1; ///< of a request
  double passes = 1;  ///< in each of them: updates of its most used word
  /// Of L2, in which they lie, if they are no neighbours.
  std::optional<double> slices = std::nullopt;
};

/// Neighbouring bytes that one slice of L2 holds, as far as updates tell (H200:
/// 64 words take as long as 32, 128 and 256 half of that, 512 a quarter, 4,096
/// a 20th; kernels/update_rates).
constexpr double sliceBytes = 512;

/// Updates of `addresses` words of `bytes` bytes that data choose for each
/// lane.
Updates updatesAtRandom(double lanes, double addresses, unsigned bytes);

/// The lanes that are expected at the most used one of `addresses`, if data
/// choose them.
double mostLanesTogether(double lanes, double addresses);

/// Nanoseconds from one request to the next, if all SMs send as many as L2
/// takes; `again` of them pass between two updates of one word.
double nanosecondsOf(const Updates &updates, double again);

} // namespace warplint
