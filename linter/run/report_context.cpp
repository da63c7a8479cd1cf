#include "run/report_context.h"
#include "base/readable_name.h"
#include "run/resources.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

void ReportContextReader::operator()(const CompiledSource &source,
                                     const std::vector<CostedKernel> &kernels) {
  ReportContext found;
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
  append(context_, std::move(found));
}

void append(ReportContext &all, ReportContext more) {
  llvm::append_range(all.figures, more.figures);
  llvm::append_range(all.resources.rows, more.resources.rows);
  llvm::append_range(all.resources.missing, more.resources.missing);
}

ReportContext ReportContextReader::take() { return std::move(context_); }

ReportContext settled(ReportContext context) {
  context.figures = mergeFigures(std::move(context.figures));
  settle(context.resources);
  return context;
}

} // namespace warplint
