#include "cost/launched_warps.h"
#include "cost/warps_on_sms.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace warplint {

/// Returns true if the launch has a known grid in another run, as without the
/// options of the program. A few blocks are the case of a small size.
static bool hasDefault(const KernelShape &shape, const Launched &open) {
  return llvm::any_of(shape.launches, [&](const Launched &known) {
    return known.place == open.place && known.blocks().value_or(0) > fewBlocks;
  });
}

/// The blocks of a launch whose blocks all SMs hold at once, as programs launch
/// as many as there is room for.
static double blocksAtOnce(const Shape &block) {
  const Throughput &machine = throughputOf(usualCapability);
  const double warps =
      WarpsOnSms(std::nullopt, block.warps(), machine).resident();
  return std::max(1.0, std::floor(warps / block.warps())) *
         machine.multiprocessors;
}

std::optional<double> launchedWarps(const KernelShape &shape) {
  // The largest launch counts most.
  double most = 0;
  for (const Launched &launch : shape.launches) {
    if (const auto blocks = launch.blocks())
      most = std::max(most, double(*blocks));
    else if (!shape.grids.empty() || hasDefault(shape, launch))
      continue;
    else if (launch.fitsAtOnce)
      most = std::max(most, blocksAtOnce(shape.shape));
    else
      return std::nullopt;
  }
  for (uint64_t blocks : shape.grids)
    most = std::max(most, double(blocks));
  if (!most)
    return std::nullopt;
  return std::max(1.0, most) * shape.shape.warps();
}

void pinToMiddle(Warp &warp, const KernelShape &shape) {
  // A loop that steps by the whole grid has as many iterations there as in
  // other blocks, but for one.
  if (!shape.launches.empty() && shape.launches.front().blocks())
    warp.pin(warp.block());
}

uint64_t middleOf(uint64_t part, uint64_t parts, uint64_t all) {
  return (2 * part + 1) * all / (2 * parts);
}

std::vector<BlockPlace> sampleOfGrid(const Launched &launch) {
  constexpr uint64_t most = 3;
  uint64_t parts = 1;
  for (const auto &blocks : launch.grid)
    parts = std::max(parts, std::min(most, *blocks));
  std::vector<BlockPlace> sample(parts);
  for (uint64_t part = 0; part < parts; ++part)
    for (unsigned d = 0; d < 3; ++d)
      sample[part][d] = middleOf(part, parts, *launch.grid[d]);
  return sample;
}

} // namespace warplint
