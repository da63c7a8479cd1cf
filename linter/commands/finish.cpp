#include "commands/finish.h"
#include "base/printable.h"
#include "commands/print_report.h"
#include "run/baseline_file.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

int fail(llvm::Error error, llvm::raw_ostream &err) {
  err << "warplint: " << printableLines(llvm::toString(std::move(error)))
      << '\n';
  return int(ExitCode::Failed);
}

/// Findings in the baseline do not count for the exit code.
static int writeBaseline(const std::string &file, const Report &report,
                         llvm::raw_ostream &out, llvm::raw_ostream &err) {
  if (llvm::Error error = saveBaseline(file, report))
    return fail(std::move(error), err);
  const size_t recorded =
      llvm::count_if(report.findings, [](const Finding &each) {
        return each.verdict() != Verdict::Refuted;
      });
  out << "'" << file << "' records " << recorded
      << (recorded == 1 ? " finding" : " findings")
      << "; --baseline leaves them out\n";
  printUnread(report, err);
  return int(report.unread.empty() ? ExitCode::Clean : ExitCode::Unread);
}

int finish(Report report, const ReportContext &context,
           const Options &options, llvm::raw_ostream &out,
           llvm::raw_ostream &err, bool terminal) {
  if (!options.check.writeBaseline.empty())
    return writeBaseline(options.check.writeBaseline, report, out, err);
  report.unconditionalOnly = options.output.unconditional;
  if (llvm::Error error =
          printReport(report, context, options, out, err, terminal))
    return fail(std::move(error), err);
  return int(exitCode(report));
}

} // namespace warplint
