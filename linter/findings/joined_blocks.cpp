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

uint64_t blocksInOne(const Kernel &kernel, int64_t step) {
  return workTogether(kernel)
             ? std::max<uint64_t>(1, sectorBytes / std::abs(step))
             : 1;
}

// H200: a product's 256 blocks made 32 took 2.7 times as long.
std::string whyNotJoined(const CostedKernel &costed, const ShapeCosts &shape,
                         uint64_t together) {
  const auto warps = launchedWarps(shape.shape);
  if (!warps || together < 2)
    return {};
  const double blocks = *warps / shape.shape.shape.warps(),
               left = std::ceil(blocks / together);
  const unsigned all = timeOf(costed, shape).machine().multiprocessors;
  if (left >= std::min<double>(blocks, all))
    return {};
  return llvm::formatv(
      "a block works on one value of its index together, so "
      "lanes that took what neighbouring blocks take now would "
      "leave {0} of {1} blocks, on {2} SMs",
      uint64_t(left), uint64_t(blocks), all);
}

std::string whereJoined(const ShapeCosts &shape, uint64_t together) {
  if (together < 2 || launchedWarps(shape.shape))
    return {};
  return llvm::formatv(
      "; a block does what {0} do now, so only where a grid of "
      "so many times fewer blocks has one for each SM",
      together);
}

} // namespace warplint
