#include "findings/joined_blocks.h"
#include "cost/kernel_time.h"
#include "cost/launched_warps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace warplint {

/// Returns true if threads of a block tell each other something: they work
/// together on what the block's index names, and stay in one block.
static bool workTogether(const Kernel &kernel) {
  return !kernel.barriers.empty() ||
         llvm::any_of(kernel.accesses,
                      [](const Access &access) {
                        return access.space == Space::Shared;
                      }) ||
         llvm::any_of(llvm::seq<ValueId>(0, kernel.graph.size()),
                      [&](ValueId id) {
                        return kernel.graph.node(id).op == Op::FromLane;
                      });
}

std::string whereJoined(const CostedKernel &costed, const ShapeCosts &shape,
                        int64_t step) {
  // As many as fill a sector.
  const uint64_t together = sectorBytes / std::abs(step);
  if (together < 2 || !workTogether(costed.kernel))
    return {};
  const auto warps = launchedWarps(shape.shape);
  if (!warps)
    return llvm::formatv(
        "; a block does what {0} do now, so only where a grid of so many times "
        "fewer blocks has one for each SM",
        together);
  // H200: a product's 256 blocks made 32 took 2.7 times as long; a sum of
  // channels whose rows as many blocks share as before is 1.24 times as fast.
  const double blocks = *warps / shape.shape.shape.warps(),
               left = std::ceil(blocks / together);
  const unsigned all = timeOf(costed, shape).machine().multiprocessors;
  if (left >= std::min<double>(blocks, all))
    return {};
  return llvm::formatv(
      "; let as many blocks as now share the rest of the work, "
      "for {0} of {1} blocks would leave SMs without any",
      uint64_t(left), uint64_t(blocks));
}

} // namespace warplint
