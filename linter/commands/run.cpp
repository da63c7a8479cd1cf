#include "commands/run.h"
#include "base/folders.h"
#include "base/plural.h"
#include "cache/store.h"
#include "commands/collect.h"
#include "commands/explain.h"
#include "commands/parse_options.h"
#include "commands/print_config.h"
#include "commands/print_report.h"
#include "commands/run_resources.h"
#include "commands/wrap.h"
#include "lsp/server.h"
#include "report/text.h"
#include "run/baseline_file.h"
#include "run/disagree.h"
#include "run/pipeline.h"
#include "run/report_context.h"
#include "run/resources.h"
#include "run/summarise.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

namespace {

int fail(llvm::Error error, llvm::raw_ostream &err) {
  err << "warplint: " << llvm::toString(std::move(error)) << '\n';
  return int(ExitCode::Failed);
}

/// What was found is known from now on, so it is none for the exit code.
int writeBaseline(const std::string &file, const Report &report,
                  llvm::raw_ostream &out, llvm::raw_ostream &err) {
  if (llvm::Error error = saveBaseline(file, report))
    return fail(std::move(error), err);
  const size_t known = llvm::count_if(report.findings, [](const Finding &each) {
    return each.verdict() != Verdict::Refuted;
  });
  out << "'" << file << "' knows " << counted(known, "finding")
      << " from now on; --baseline is silent on them\n";
  printUnread(report, err);
  return int(report.unread.empty() ? ExitCode::Clean : ExitCode::Unread);
}

/// A part has no findings yet: 'merge' ends with 1 for them.
int runShard(const Options &options, llvm::raw_ostream &err) {
  if (llvm::Error error = checkOutput(options))
    return fail(std::move(error), err);
  ReportContextReader around;
  const bool shows = showsContext(options);
  auto part = checkShard(options, shows ? SeeSource(around) : nullptr);
  if (!part)
    return fail(part.takeError(), err);
  if (shows)
    part->around = around.take();
  if (llvm::Error error = saveShard(options.output, *part))
    return fail(std::move(error), err);
  const size_t sources = part->places.size();
  err << "warplint: wrote part " << part->index << " of " << part->count << ", "
      << counted(sources, "source") << " of " << part->total << ", to '"
      << options.output << "'\n";
  return int(ExitCode::Clean);
}

int runCheck(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err, bool terminal) {
  if (llvm::Error error = checkOutput(options))
    return fail(std::move(error), err);
  ReportContextReader around;
  auto report =
      check(options, showsContext(options) ? SeeSource(around) : nullptr);
  if (!report)
    return fail(report.takeError(), err);
  if (!options.writeBaseline.empty())
    return writeBaseline(options.writeBaseline, *report, out, err);
  if (llvm::Error error = printReport(*report, settled(around.take()), options,
                                      out, err, terminal))
    return fail(std::move(error), err);
  return int(exitCode(*report));
}

/// Of reports that were made elsewhere.
int printUnited(const Report &report, const ReportContext &around,
                const Options &options, llvm::raw_ostream &out,
                llvm::raw_ostream &err, bool terminal) {
  if (!options.writeBaseline.empty())
    return writeBaseline(options.writeBaseline, report, out, err);
  if (llvm::Error error =
          printReport(report, around, options, out, err, terminal))
    return fail(std::move(error), err);
  return int(exitCode(report));
}

int runMerge(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err, bool terminal) {
  auto merged = merge(options, showsContext(options));
  if (!merged)
    return fail(merged.takeError(), err);
  return printUnited(merged->report, merged->around, options, out, err,
                     terminal);
}

int runCollect(const Options &options, llvm::raw_ostream &out,
               llvm::raw_ostream &err, bool terminal) {
  auto collected = collect(options.sources.paths.front());
  if (!collected)
    return fail(collected.takeError(), err);
  ReportContext around;
  if (showsContext(options)) {
    Options ofObjects = options;
    ofObjects.sources.paths = collected->objects;
    auto read = readResources(ofObjects);
    if (!read)
      return fail(read.takeError(), err);
    around.resources = std::move(read->report);
  }
  return printUnited(collected->report, around, options, out, err, terminal);
}

/// "85.3 MB", in steps of a thousand.
std::string readableSize(uint64_t bytes) {
  double size = bytes;
  const char *unit = "bytes";
  for (const char *next : {"kB", "MB", "GB"}) {
    if (size < 1000)
      break;
    size /= 1000;
    unit = next;
  }
  return llvm::formatv("{0:F1} {1}", size, unit);
}

int runCache(const Options &options, llvm::raw_ostream &out) {
  const Store store(options.cache);
  const Store::Size size = options.clear ? store.clear() : store.size();
  out << (options.clear ? "removed " : "") << counted(size.records, "file")
      << ", " << readableSize(size.bytes)
      << (options.clear ? ", from '" : ", in '") << options.cache << "'\n";
  return int(ExitCode::Clean);
}

int runSummary(const Options &options, llvm::raw_ostream &out,
               llvm::raw_ostream &err) {
  auto result = summarise(options);
  if (!result)
    return fail(result.takeError(), err);
  if (options.format == Format::Json)
    printSummaryJson(result->summary, result->report, out);
  else
    printSummaryText(result->summary, result->report, currentFolder(), out);
  printUnread(result->report, err);
  return int(exitCode(result->report));
}

int runDisagree(const Options &options, llvm::raw_ostream &out,
                llvm::raw_ostream &err) {
  auto result = disagree(options);
  if (!result)
    return fail(result.takeError(), err);
  if (options.format == Format::Csv)
    printDisagreementsCsv(result->disagreements, currentFolder(), out);
  else if (options.format == Format::Json)
    printDisagreementsJson(result->disagreements, out);
  else
    printDisagreements(result->disagreements, currentFolder(), out);
  printUnread(result->report, err);
  return int(exitCode(result->report));
}

int runAccesses(const Options &options, llvm::raw_ostream &out,
                llvm::raw_ostream &err) {
  if (options.summary)
    return runSummary(options, out, err);
  if (options.disagree)
    return runDisagree(options, out, err);
  auto result = accesses(options);
  if (!result)
    return fail(result.takeError(), err);
  if (options.format == Format::Csv)
    printAccessCsv(result->rows, currentFolder(), out);
  else if (options.format == Format::Json)
    printAccessJson(result->rows, out);
  else
    printAccessTable(result->rows, currentFolder(), out);
  printUnread(result->report, err);
  return int(exitCode(result->report));
}

} // namespace

int run(llvm::ArrayRef<const char *> arguments, llvm::raw_ostream &out,
        llvm::raw_ostream &err, bool terminal) {
  auto options = parseOptions(arguments);
  if (!options)
    return fail(options.takeError(), err);
  switch (options->command) {
  case CommandName::Check:
    return options->isShard ? runShard(*options, err)
                            : runCheck(*options, out, err, terminal);
  case CommandName::Collect:
    return runCollect(*options, out, err, terminal);
  case CommandName::Merge:
    return runMerge(*options, out, err, terminal);
  case CommandName::Wrap:
    return wrap(*options);
  case CommandName::Cache:
    return runCache(*options, out);
  case CommandName::Lsp:
    return serve(*options);
  case CommandName::Accesses:
    return runAccesses(*options, out, err);
  case CommandName::Resources:
    return runResources(*options, out, err, terminal);
  case CommandName::Diff:
    return runDiff(*options, out, err);
  case CommandName::Config:
    if (llvm::Error error = printConfig(*options, currentFolder(), out))
      return fail(std::move(error), err);
    return int(ExitCode::Clean);
  case CommandName::Checks:
    printChecks(options->format, out);
    return int(ExitCode::Clean);
  case CommandName::Explain:
    if (llvm::Error error = printExplanation(options->topic, out))
      return fail(std::move(error), err);
    return int(ExitCode::Clean);
  case CommandName::Help:
  case CommandName::Version:
    out << options->text;
    return int(ExitCode::Clean);
  }
  return int(ExitCode::Failed);
}

} // namespace warplint
