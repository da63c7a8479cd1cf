#include "findings/coalescing.h"
#include "cost/index_steps.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

namespace {

constexpr const char *dimensions[] = {"threadIdx.x", "threadIdx.y",
                                      "threadIdx.z"};

/// The next element, which may be a vector or a small structure: a sector holds
/// two of them or more.
constexpr int64_t largestStep = 16;

bool isNeighbour(std::optional<int64_t> step) {
  return step && *step != 0 && std::abs(*step) <= largestStep;
}

/// Bytes of the structures or rows that lanes step over, if that is why they
/// are apart.
constexpr int64_t largestElement = 256;

/// Returns true if an iteration may load what an earlier one stored: a store
/// and a load of one object whose addresses move with the loop and differ.
bool needsEarlierIterations(const Kernel &kernel, LoopId loop) {
  const std::vector<uint64_t> &loops = kernel.graph.loopsOf();
  auto moves = [&](const Access &access) {
    return llvm::is_contained(access.loops, loop) &&
           (loops[access.address] & ExpressionGraph::loopBit(loop));
  };
  return llvm::any_of(kernel.accesses, [&](const Access &store) {
    return store.operation != Operation::Load && moves(store) &&
           llvm::any_of(kernel.accesses, [&](const Access &load) {
             return load.operation == Operation::Load && moves(load) &&
                    load.space == store.space && load.object == store.object &&
                    load.address != store.address;
           });
  });
}

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
    if (isNeighbour(steps.thread[i]))
      return llvm::formatv(
          "swap threadIdx.x and {0} in '{1}', and the extents of the block: "
          "{0} "
          "steps through neighbouring elements, and lanes differ in "
          "threadIdx.x",
          dimensions[i], name);
  // The innermost loop executes most often.
  for (const IndexSteps::OfLoop &step : llvm::reverse(steps.loops)) {
    const Loop &loop = kernel.loops[step.loop];
    if (!isNeighbour(step.bytes) || loop.inLibrary)
      continue;
    const std::string object = access.object.empty() ? name : access.object;
    if (needsEarlierIterations(kernel, step.loop))
      return llvm::formatv(
          "keep '{0}' transposed: the loop at line {1} steps through its "
          "neighbouring elements, and each iteration needs the one before, so "
          "lanes cannot share it",
          object, loop.place.line);
    return llvm::formatv(
        "let the lanes of a warp share the iterations of the loop at line {0}, "
        "which steps through neighbouring elements of '{1}': a warp does what "
        "one thread does now; or load tiles of '{1}' into shared memory so",
        loop.place.line, object);
  }
  return steps.thread[0] ? elementAdvice(access, std::abs(*steps.thread[0]))
                         : std::string();
}

} // namespace warplint
