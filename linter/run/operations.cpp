#include "run/operations.h"
#include "os/deadline.h"
#include "os/workers.h"
#include "report/progress.h"
#include "run/batch.h"
#include "run/compile_sources.h"

namespace warplint {

namespace {

/// The lines of a kernel's machine code, for the first architecture that has
/// them.
const std::vector<MachineLine> *linesOf(const Compiled &compiled,
                                        const std::string &kernel) {
  for (const CompiledUnit &unit : compiled.units)
    for (const CompiledKernel &each : unit.kernels)
      if (each.usage.kernel == kernel && !each.lines.empty())
        return &each.lines;
  return nullptr;
}

std::vector<OperationRow> rowsIn(Work &work, const Options &options,
                                 Compiled compiled) {
  std::vector<OperationRow> rows;
  // nvcc has a limit of its own.
  Deadline deadline(options.limits.timeout, work.readFor);
  if (!compiled.whyNot.empty())
    work.notes.push_back("the compiled side is empty: " + compiled.whyNot);
  for (const Kernel &kernel : work.model.kernels)
    for (OperationRow &row :
         operationRows(kernel, linesOf(compiled, kernel.mangled)))
      rows.push_back(std::move(row));
  if (deadline.isOver()) {
    rows.clear();
    work.model.outline.whyNot =
        "listing it " + tookTooLong(options.limits.timeout);
  }
  return rows;
}

} // namespace

llvm::Expected<OperationReport> operations(const Options &options) {
  auto batch = readBatch(options, Want::Models);
  if (!batch)
    return batch.takeError();
  std::vector<std::vector<OperationRow>> found(batch->sources.size());
  {
    Progress progress("listing", found.size());
    forEachInParallel(
        found.size(), options.limits.threads,
        [&](size_t i) {
          Work &work = batch->sources[i];
          progress.step(work.command.source);
          Compiled compiled;
          if (options.compiling.judge && !work.model.kernels.empty())
            compiled = compile(work, options, options.limits.threads);
          found[i] = rowsIn(work, options, std::move(compiled));
        },
        [&](size_t i) {
          batch->sources[i].model.outline.whyNot =
              "listing it ended in a crash";
        });
  }
  OperationReport result;
  for (std::vector<OperationRow> &rows : found)
    llvm::append_range(result.rows, rows);
  result.report = summary(*batch);
  return result;
}

} // namespace warplint
