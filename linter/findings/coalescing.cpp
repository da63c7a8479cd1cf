#include "findings/coalescing.h"
#include "cost/index_steps.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

namespace {

constexpr const char *dimensions[] = {"threadIdx.x", "threadIdx.y",
                                      "threadIdx.z"};

/// An element, or the whole of a few that one access moves.
bool isNeighbour(std::optional<int64_t> step, unsigned bytes) {
  return step && uint64_t(std::abs(*step)) == bytes;
}

/// Bytes of the structures or rows that lanes step over, if that is why they
/// are apart.
constexpr int64_t largestElement = 256;

std::string elementAdvice(const Access &access, int64_t step) {
  const std::string &object = access.object;
  if (object.empty() || step % access.bytes || step <= int64_t(access.bytes) ||
      step > largestElement)
    return {};
  return llvm::formatv("keep what neighbouring lanes touch side by side: '{0}' "
                       "as {1} arrays, one for each of the {1} parts of an "
                       "element of {2} bytes",
                       object, step / access.bytes, step);
}

} // namespace

std::string coalescingAdvice(const CostedKernel &costed,
                             const ShapeCosts &shape, unsigned index) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[index];
  const IndexSteps steps = indexSteps(kernel, shape.shape, access);
  const std::string name = access.text.empty() ? access.object : access.text;
  for (unsigned i : {1u, 2u})
    if (isNeighbour(steps.thread[i], access.bytes))
      return llvm::formatv(
          "swap threadIdx.x and {0} in '{1}', and the extents of the block: "
          "{0} "
          "steps through neighbouring elements, and lanes differ in "
          "threadIdx.x",
          dimensions[i], name);
  // The innermost loop executes most often.
  for (const IndexSteps::OfLoop &step : llvm::reverse(steps.loops)) {
    const Loop &loop = kernel.loops[step.loop];
    if (!isNeighbour(step.bytes, access.bytes) || loop.inLibrary)
      continue;
    return llvm::formatv(
        "let the lanes of a warp share the iterations of the loop at line {0}, "
        "which steps through neighbouring elements of '{1}': a warp for each "
        "of its runs, or tiles in shared memory that are loaded so",
        loop.place.line, access.object.empty() ? name : access.object);
  }
  return steps.thread[0] ? elementAdvice(access, std::abs(*steps.thread[0]))
                         : std::string();
}

} // namespace warplint
