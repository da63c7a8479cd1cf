#include "base/folders.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"
#include "report/kernel_costs.h"
#include "run/list_kernels.h"

namespace warplint {

int runCost(const Options &options, llvm::raw_ostream &out,
            llvm::raw_ostream &err) {
  auto result = listKernels<KernelCostRow>(
      options, [](const Kernel &kernel, const Work &work) {
        return kernelCostRows(kernel, capabilityOf(work));
      });
  if (!result)
    return fail(result.takeError(), err);
  if (options.output.format == Format::Csv)
    printKernelCostCsv(result->rows, currentFolder(), out);
  else if (options.output.format == Format::Json)
    printKernelCostJson(result->rows, out);
  else
    printKernelCostTable(result->rows, currentFolder(), out);
  printUnread(result->report, err, options.output.quiet);
  return int(exitCode(result->report));
}

} // namespace warplint
