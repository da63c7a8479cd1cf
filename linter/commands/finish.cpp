#include "commands/finish.h"
#include "base/printable.h"
#include "commands/print_report.h"
#include "report/rank.h"
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

/// A program that reads the report filters it by itself.
static void rank(Report &report, const OutputOptions &options,
                 std::optional<double> leastShare) {
  joinCauses(report.findings);
  markMinor(report.findings, leastShare);
  if (options.format != Format::Json) {
    dropParts(report);
    if (!options.minor)
      dropMinor(report);
  }
  if (options.sort == SortBy::Cost)
    sortByCost(report.findings);
}

/// Leaves the first findings of those that are printed.
static void limit(Report &report, const OutputOptions &options) {
  if (!options.mostFindings || options.statistics)
    return;
  size_t printed = 0;
  const size_t before = report.findings.size();
  llvm::erase_if(report.findings, [&](const Finding &finding) {
    const bool isPrinted =
        options.refuted || finding.verdict() != Verdict::Refuted;
    return isPrinted && ++printed > *options.mostFindings;
  });
  report.beyond = before - report.findings.size();
}

int finish(Report report, const ReportContext &context, const Options &options,
           llvm::raw_ostream &out, llvm::raw_ostream &err, bool terminal) {
  if (!options.check.writeBaseline.empty())
    return writeBaseline(options.check.writeBaseline, report, out, err);
  report.unconditionalOnly = options.output.unconditional;
  rank(report, options.output, options.settings.leastShare);
  const ExitCode code = exitCode(report);
  limit(report, options.output);
  if (options.output.quiet)
    report.notes.clear();
  if (llvm::Error error =
          printReport(report, context, options, out, err, terminal))
    return fail(std::move(error), err);
  return int(code);
}

} // namespace warplint
