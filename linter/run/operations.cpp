#include "run/operations.h"
#include "run/compile_sources.h"
#include "run/each_source.h"
#include <chrono>

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
                                 Deadline &deadline) {
  Compiled compiled;
  if (options.compiling.judge && !work.model.kernels.empty()) {
    const auto begin = std::chrono::steady_clock::now();
    compiled = compile(work, options, options.limits.threads);
    deadline.extend(std::chrono::steady_clock::now() - begin);
  }
  if (!compiled.whyNot.empty())
    work.notes.push_back("the compiled side is empty: " + compiled.whyNot);
  std::vector<OperationRow> rows;
  for (const Kernel &kernel : work.model.kernels)
    for (OperationRow &row :
         operationRows(kernel, linesOf(compiled, kernel.mangled)))
      rows.push_back(std::move(row));
  return rows;
}

} // namespace

llvm::Expected<OperationReport> operations(const Options &options) {
  auto batch = readBatch(options, Want::Models);
  if (!batch)
    return batch.takeError();
  OperationReport result;
  result.rows = rowsOfEach<OperationRow>(
      *batch, options, "listing", [&](Work &work, Deadline &deadline) {
        return rowsIn(work, options, deadline);
      });
  result.report = summary(*batch);
  return result;
}

} // namespace warplint
