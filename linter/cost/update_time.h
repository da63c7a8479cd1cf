// How long L2 takes for the atomics of a request that meet in a small memory.
#pragma once

namespace warplint {

/// How the lanes of a request meet in the memory that a launch updates.
struct Updates {
  double memory = 0;  ///< bytes of the launch's sectors with such an address
  double sectors = 1; ///< of a request
  double passes = 1;  ///< in each of them: updates of its most used word
};

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
