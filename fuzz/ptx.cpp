#include "cost/costed.h"
#include "fuzz/targets.h"
#include "ptx/ptx_kernels.h"

using namespace llvm;

namespace warplint {

/// The way to a verdict: text, IR, kernels, costs by lane.
void fuzzPtx(StringRef bytes) {
  (void)ptxTarget(bytes);
  auto kernels = readPtxKernels(bytes, {});
  if (!kernels)
    return consumeError(kernels.takeError());
  for (Kernel &kernel : *kernels) {
    if (kernel.shapes.empty())
      kernel.shapes.push_back({Shape{32, 8, 1}, ShapeSource::Assumed, {}});
    (void)costed(kernel);
  }
}

} // namespace warplint
