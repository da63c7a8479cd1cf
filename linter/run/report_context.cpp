#include "run/report_context.h"
#include "base/readable_name.h"
#include "model/outline.h"
#include "run/resources.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace warplint {

/// The source and the files that hold code of its kernels. The line table of a
/// cubin may name any other: nvcc obeys every `#line` of a source.
static std::set<std::string> filesOf(const CompiledSource &source) {
  std::set<std::string> files = {source.command.source};
  for (const Kernel &kernel : source.kernels)
    for (const auto &[file, lines] : outlineOf(kernel).lines)
      files.insert(file);
  return files;
}

void ReportContextReader::operator()(const CompiledSource &source,
                                     const std::vector<CostedKernel> &kernels) {
  ReportContext found;
  for (const CostedKernel &kernel : kernels)
    llvm::append_range(found.figures, figuresOf(kernel));
  const std::set<std::string> files = filesOf(source);
  for (const CompiledUnit &unit : source.compiled.units)
    for (const CompiledKernel &kernel : unit.kernels)
      for (Figure &figure :
           figuresOf(kernel, readableKernelName(kernel.usage.kernel),
                     source.command.directory))
        if (files.count(figure.place.file))
          found.figures.push_back(std::move(figure));
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
