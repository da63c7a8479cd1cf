#include "cli/run.h"
#include "cli/explain.h"
#include "cli/options.h"
#include "cli/run_resources.h"
#include "collect.h"
#include "pipeline.h"
#include "report/json.h"
#include "report/text.h"
#include "wrap.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

namespace warplint {

namespace {

std::string currentFolder() {
  llvm::SmallString<256> folder;
  llvm::sys::fs::current_path(folder);
  return folder.str().str();
}

int fail(llvm::Error error, llvm::raw_ostream &err) {
  err << "warplint: " << llvm::toString(std::move(error)) << '\n';
  return int(ExitCode::Failed);
}

/// Of `check` and `collect`.
int print(llvm::Expected<Report> report, const Options &options,
          llvm::raw_ostream &out, llvm::raw_ostream &err, bool terminal) {
  if (!report)
    return fail(report.takeError(), err);
  if (options.format == Format::Json) {
    printJson(*report, options.refuted, out);
  } else {
    TextOptions text;
    text.colour = options.colour.value_or(
        terminal && !llvm::sys::Process::GetEnv("NO_COLOR"));
    text.refuted = options.refuted;
    text.relativeTo = currentFolder();
    printText(*report, text, out);
  }
  return int(exitCode(*report));
}

/// What `accesses` could not read goes where it does not mix with the list.
void printUnread(const Report &report, llvm::raw_ostream &err) {
  const std::string folder = currentFolder();
  for (const UnreadSource &unread : report.unread)
    err << "warplint: " << shownPath(unread.source, folder) << ": "
        << (unread.anyKernelRead ? "read in part: " : "not read: ")
        << unread.firstError << '\n';
  for (const UnreadKernel &kernel : report.unreadKernels)
    err << "warplint: " << shownPath(kernel.source, folder) << ": kernel '"
        << kernel.name << "' not read: " << kernel.why << '\n';
  for (const std::string &note : report.notes)
    err << "warplint: " << note << '\n';
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
    return print(check(*options), *options, out, err, terminal);
  case CommandName::Collect:
    return print(collect(options->sources.paths.front()), *options, out, err,
                 terminal);
  case CommandName::Wrap:
    return wrap(*options);
  case CommandName::Accesses:
    return runAccesses(*options, out, err);
  case CommandName::Resources:
    return runResources(*options, out, err, terminal);
  case CommandName::Diff:
    return runDiff(*options, out, err);
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
