#include "cost/warps_on_sms.h"
#include "cost/warp.h"
#include <algorithm>

namespace warplint {

WarpsOnSms::WarpsOnSms(std::optional<double> warps, double warpsPerBlock,
                       const Throughput &machine)
    : machine_(&machine),
      all_(warps.value_or(usualWarps * machine.multiprocessors)),
      perBlock_(warpsPerBlock), isGridKnown_(warps.has_value()) {}

double WarpsOnSms::smsUsed() const {
  return std::clamp<double>(blocks(), 1, machine_->multiprocessors);
}

double WarpsOnSms::resident() const {
  return std::min(machine_->warps * residentShare,
                  double(mostBlocks) * perBlock_);
}

double WarpsOnSms::threadsAtOnce() const {
  return warpSize * std::min(resident(), perSm());
}

double WarpsOnSms::fillings(double warps, double resident) {
  return warps / std::min(warps, resident);
}

} // namespace warplint
