#include "base/folders.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"
#include "report/totals.h"
#include "run/disagree.h"
#include "run/list_kernels.h"
#include "run/pipeline.h"
#include "run/summarise.h"

namespace warplint {

static int runSummary(const Options &options, llvm::raw_ostream &out,
                      llvm::raw_ostream &err) {
  auto result = summarise(options);
  if (!result)
    return fail(result.takeError(), err);
  if (options.output.format == Format::Json)
    printSummaryJson(result->summary, result->report, out);
  else
    printSummaryText(result->summary, result->report, currentFolder(), out);
  printUnread(result->report, err, options.output.quiet);
  return int(exitCode(result->report));
}

static int runDisagree(const Options &options, llvm::raw_ostream &out,
                       llvm::raw_ostream &err) {
  auto result = disagree(options);
  if (!result)
    return fail(result.takeError(), err);
  if (options.output.format == Format::Csv)
    printDisagreementsCsv(result->disagreements, currentFolder(), out);
  else if (options.output.format == Format::Json)
    printDisagreementsJson(result->disagreements, out);
  else
    printDisagreements(result->disagreements, currentFolder(), out);
  printUnread(result->report, err, options.output.quiet);
  return int(exitCode(result->report));
}

static int runTotals(const Options &options, llvm::raw_ostream &out,
                     llvm::raw_ostream &err) {
  auto result =
      listKernels<TotalsRow>(options, [](const Kernel &kernel, const Work &) {
        return totalsRows(kernel);
      });
  if (!result)
    return fail(result.takeError(), err);
  if (options.output.format == Format::Csv)
    printTotalsCsv(result->rows, currentFolder(), out);
  else if (options.output.format == Format::Json)
    printTotalsJson(result->rows, out);
  else
    printTotalsTable(result->rows, currentFolder(), out);
  printUnread(result->report, err);
  return int(exitCode(result->report));
}

int runAccesses(const Options &options, llvm::raw_ostream &out,
                llvm::raw_ostream &err) {
  if (options.accesses.summary)
    return runSummary(options, out, err);
  if (options.accesses.disagree)
    return runDisagree(options, out, err);
  if (options.accesses.totals)
    return runTotals(options, out, err);
  auto result = accesses(options);
  if (!result)
    return fail(result.takeError(), err);
  if (options.output.format == Format::Csv)
    printAccessCsv(result->rows, currentFolder(), out);
  else if (options.output.format == Format::Json)
    printAccessJson(result->rows, out);
  else
    printAccessTable(result->rows, currentFolder(), out);
  printUnread(result->report, err, options.output.quiet);
  return int(exitCode(result->report));
}

} // namespace warplint
