#include "fixes/warp_exchange.h"

using namespace llvm;

namespace warplint {

Lanes exchanged(StringRef name, const WarpOperands &warp, unsigned lane) {
  const std::vector<Lanes> &own = warp.ofLane[lane];
  Lanes result{};
  if (name.contains(".shfl.")) { // mask, value, lane, clamp
    const unsigned at = own[2][0] & 31, clamp = own[3][0];
    const unsigned most = clamp & 31, segment = clamp >> 8 & 31;
    const unsigned least = lane & segment;
    const unsigned highest = least | (most & ~segment);
    int from = name.contains(".up.")     ? int(lane) - int(at)
               : name.contains(".down.") ? int(lane + at)
               : name.contains(".bfly.") ? int(lane ^ at)
                                         : int(least | (at & ~segment));
    const bool isIn =
        name.contains(".up.") ? from >= int(highest) : from <= int(highest);
    if (!isIn || !(warp.here >> from & 1))
      from = lane;
    result = {warp.ofLane[from][1][0], uint64_t(isIn)};
  } else if (name.contains(".vote.")) {
    const unsigned predicate = own.size() - 1;
    uint64_t votes = 0;
    for (unsigned i = 0; i < lanesOfWarp; ++i)
      if (warp.here >> i & 1 && warp.ofLane[i][predicate][0] & 1)
        votes |= uint64_t(1) << i;
    result[0] = name.contains("ballot") ? votes
                : name.contains("all")  ? votes == warp.here
                : name.contains("any")  ? votes != 0
                                        : votes == warp.here || !votes;
  } else if (name.contains(".redux.")) {
    uint64_t total = own[0][0];
    for (unsigned i = 0; i < lanesOfWarp; ++i) {
      if (!(warp.here >> i & 1) || i == lane)
        continue;
      const uint64_t other = warp.ofLane[i][0][0];
      total = name.ends_with("umin")   ? std::min(total, other)
              : name.ends_with("umax") ? std::max(total, other)
              : name.ends_with("min")
                  ? uint64_t(std::min(int32_t(total), int32_t(other)))
              : name.ends_with("max")
                  ? uint64_t(std::max(int32_t(total), int32_t(other)))
              : name.ends_with("and") ? total & other
              : name.ends_with("xor") ? total ^ other
              : name.ends_with("or")  ? total | other
                                      : total + other;
    }
    result[0] = total & 0xffffffff;
  }
  return result;
}

} // namespace warplint
