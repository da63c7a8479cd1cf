#include "compiled/read_ptx.h"
#include "findings/costed.h"
#include "fuzz/targets.h"
#include "source/normalise.h"
#include "source/read_ir.h"

using namespace llvm;

namespace warplint {

/// The way that findings/judge.cpp goes: text, IR, kernels, costs by lane.
void fuzzPtx(StringRef bytes) {
  LLVMContext context;
  auto module = readPtx(bytes, context);
  if (!module)
    return consumeError(module.takeError());
  std::unique_ptr<TargetMachine> target = deviceTarget(**module);
  for (Kernel &kernel : readKernels(**module, *target, Names())) {
    kernel.shapes.push_back({Shape{32, 8, 1}, ShapeSource::Assumed, {}});
    (void)costed(kernel);
  }
}

} // namespace warplint
