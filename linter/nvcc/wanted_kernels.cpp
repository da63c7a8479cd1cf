#include "nvcc/wanted_kernels.h"
#include "base/readable_name.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {

std::vector<CompiledKernel *> wantedKernels(CompiledUnit &unit,
                                            StringRef wanted) {
  const StringRef identifier = wanted.take_while(
      [](char c) { return isAlnum(c) || c == '_' || c == ':'; });
  std::vector<CompiledKernel *> all, found;
  for (CompiledKernel &kernel : unit.kernels) {
    const std::string &mangled = kernel.usage.kernel;
    all.push_back(&kernel);
    if (mangled == wanted ||
        StringRef(readableKernelName(mangled)).contains(identifier))
      found.push_back(&kernel);
  }
  return found.empty() ? all : found;
}

} // namespace warplint
