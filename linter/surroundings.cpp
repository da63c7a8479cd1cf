#include "surroundings.h"
#include "compiled/readable_name.h"
#include "resources.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

void SurroundingsReader::add(const CompiledSource &source,
                             const std::vector<CostedKernel> &kernels) {
  Surroundings found;
  for (const CostedKernel &kernel : kernels)
    llvm::append_range(found.figures, figuresOf(kernel));
  for (const CompiledUnit &unit : source.compiled.units)
    for (const CompiledKernel &kernel : unit.kernels)
      llvm::append_range(found.figures,
                         figuresOf(kernel,
                                   readableKernelName(kernel.usage.kernel),
                                   source.command.directory));
  addCompiled(source, found.resources);
  std::lock_guard<std::mutex> lock(one_);
  llvm::append_range(around_.figures, found.figures);
  llvm::append_range(around_.resources.rows, found.resources.rows);
  llvm::append_range(around_.resources.missing, found.resources.missing);
}

Surroundings SurroundingsReader::take() {
  around_.figures = mergeFigures(std::move(around_.figures));
  settle(around_.resources);
  return std::move(around_);
}

} // namespace warplint
