#include "cost/update_time.h"
#include "cost/request.h"
#include <algorithm>
#include <cmath>

namespace warplint {

namespace {

/// A slice of L2 takes so long for a sector of a request, whatever words of it
/// are updated (H200, integers: 0.6 for neighbouring sectors, 0.75 for those
/// that data choose).
constexpr double passNanoseconds = 0.737;

} // namespace

double mostLanesTogether(double lanes, double addresses) {
  const double mean = lanes / addresses;
  return std::clamp(mean + std::sqrt(2 * mean * std::log(addresses)),
                    std::min(1.0, lanes), lanes);
}

Updates updatesAtRandom(double lanes, double addresses, unsigned bytes) {
  const double words = double(sectorBytes) / bytes,
               all = std::max(1.0, addresses / words);
  Updates updates;
  updates.memory = addresses * bytes;
  updates.sectors = all * (1 - std::pow(1 - 1 / all, lanes));
  updates.passes = mostLanesTogether(lanes / updates.sectors,
                                     std::min(addresses, words));
  return updates;
}

double nanosecondsOf(const Updates &updates, double again) {
  const double passes = updates.sectors * updates.passes,
               sectors = std::max(1.0, updates.memory / sectorBytes),
               slices = std::max(
                   1.0, updates.slices.value_or(updates.memory / sliceBytes));
  return std::max(passes * passNanoseconds / slices, passes * again / sectors);
}

} // namespace warplint
