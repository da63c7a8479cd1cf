#include "cost/saving.h"
#include "cost/launch_time.h"

namespace warplint {

bool Saving::isOfSameKernelAs(const Saving &other) const {
  return now == other.now && warps == other.warps &&
         warpsPerBlock == other.warpsPerBlock &&
         movesInLoops == other.movesInLoops && capability == other.capability;
}

Saving &Saving::operator+=(const Saving &other) {
  saved += other.saved;
  instead += other.instead;
  return *this;
}

double Saving::share() const {
  const Throughput &machine = throughputOf(capability);
  const LaunchTime launch(WarpsOnSms(warps, warpsPerBlock, machine), machine,
                          movesInLoops);
  Demand then = now;
  then -= saved;
  then += instead;
  return launch.shareBetween(now, then);
}

} // namespace warplint
