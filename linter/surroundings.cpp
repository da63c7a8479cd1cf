#include "surroundings.h"
#include "compiled/readable_name.h"
#include "resources.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

void SurroundingsReader::operator()(const CompiledSource &source,
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
  append(around_, std::move(found));
}

void append(Surroundings &all, Surroundings more) {
  llvm::append_range(all.figures, more.figures);
  llvm::append_range(all.resources.rows, more.resources.rows);
  llvm::append_range(all.resources.missing, more.resources.missing);
}

Surroundings SurroundingsReader::take() { return std::move(around_); }

Surroundings settled(Surroundings around) {
  around.figures = mergeFigures(std::move(around.figures));
  settle(around.resources);
  return around;
}

} // namespace warplint
