#include "machine/launch_limits.h"
#include "ptx/ptx_text.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace warplint {
namespace {

constexpr StringLiteral limiting[] = {"maxntid", "minnctapersm", "maxnreg"};

/// The product of a directive's numbers; 0 if the kernel lacks the directive.
unsigned product(const ptx::Function &kernel, StringRef name) {
  auto found = kernel.directives.find(name.str());
  if (found == kernel.directives.end())
    return 0;
  unsigned product = 1;
  for (unsigned value : found->second.values)
    product *= value;
  return product;
}

} // namespace

StringMap<LaunchLimits> limitsInPtx(StringRef ptx) {
  StringMap<LaunchLimits> limits;
  for (const ptx::Function &kernel : ptx::kernelHeads(ptx)) {
    LaunchLimits &own = limits[kernel.name];
    own.maxThreads = product(kernel, "maxntid");
    own.minBlocks = product(kernel, "minnctapersm");
    own.maxRegisters = product(kernel, "maxnreg");
  }
  return limits;
}

std::string withoutLimits(StringRef ptx, ArrayRef<std::string> kernels) {
  std::string result = ptx.str();
  for (const ptx::Function &kernel : ptx::kernelHeads(ptx)) {
    if (!is_contained(kernels, kernel.name))
      continue;
    for (const auto &[name, directive] : kernel.directives)
      if (is_contained(limiting, name))
        std::fill_n(result.begin() + (directive.text.data() - ptx.data()),
                    directive.text.size(), ' ');
  }
  return result;
}

} // namespace warplint
