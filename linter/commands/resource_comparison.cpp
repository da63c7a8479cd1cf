#include "commands/resource_comparison.h"
#include "report/report.h"
#include "report/resources/resource_diff.h"

using namespace llvm;

namespace warplint {

void printComparison(const ResourceComparison &comparison, Format format,
                     raw_ostream &out) {
  if (format == Format::Json)
    printDiffJson(comparison, out);
  else if (format == Format::Markdown)
    printDiffMarkdown(comparison, out);
  else
    printDiffText(comparison, out);
}

int exitCodeOf(bool anyFinding, bool incomplete) {
  return int(anyFinding   ? ExitCode::Findings
             : incomplete ? ExitCode::Unread
                          : ExitCode::Clean);
}

} // namespace warplint
