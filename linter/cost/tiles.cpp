#include "cost/tiles.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

std::vector<TileFill> tileFills(const Kernel &kernel) {
  std::vector<TileFill> fills;
  for (unsigned s = 0; s < kernel.accesses.size(); ++s) {
    const Access &store = kernel.accesses[s];
    if (store.operation != Operation::Store || store.space != Space::Shared)
      continue;
    for (unsigned l : store.storedLoads) {
      const Access &load = kernel.accesses[l];
      const bool isFromGlobal =
          load.space == Space::Global || load.space == Space::Unknown;
      // A value that a loop sums up is no copy.
      if (isFromGlobal && load.loops == store.loops &&
          llvm::none_of(fills,
                        [&](const TileFill &fill) { return fill.load == l; }))
        fills.push_back({l, s});
    }
  }
  llvm::sort(fills, [](const TileFill &a, const TileFill &b) {
    return a.load < b.load;
  });
  return fills;
}

std::optional<LoopId> tiledLoop(const Kernel &kernel, const TileFill &fill) {
  const std::string &tile = kernel.accesses[fill.store].object;
  for (LoopId loop : llvm::reverse(kernel.accesses[fill.load].loops)) {
    if (!kernel.loops[loop].hasBarrier)
      continue;
    const bool isRead =
        llvm::any_of(kernel.accesses, [&](const Access &access) {
          return access.operation == Operation::Load &&
                 access.space == Space::Shared && access.object == tile &&
                 llvm::is_contained(access.loops, loop);
        });
    return isRead ? std::optional(loop) : std::nullopt;
  }
  return std::nullopt;
}

} // namespace warplint
