#include "run/operations.h"
#include "base/folders.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"

namespace warplint {

int runOperations(const Options &options, llvm::raw_ostream &out,
                  llvm::raw_ostream &err) {
  auto result = operations(options);
  if (!result)
    return fail(result.takeError(), err);
  if (options.output.format == Format::Csv)
    printOperationCsv(result->rows, currentFolder(), out);
  else if (options.output.format == Format::Json)
    printOperationJson(result->rows, out);
  else
    printOperationTable(result->rows, currentFolder(), out);
  printUnread(result->report, err);
  return int(exitCode(result->report));
}

} // namespace warplint
