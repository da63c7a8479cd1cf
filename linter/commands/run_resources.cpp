#include "commands/run_resources.h"
#include "base/failure.h"
#include "report/report.h"
#include "report/resources/gate.h"
#include "report/resources/resource_diff.h"
#include "report/resources/resource_json.h"
#include "report/resources/resource_table.h"
#include "run/ratchet.h"
#include "run/resources.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace warplint {
namespace {

int fail(Error error, raw_ostream &err) {
  err << "warplint: " << toString(std::move(error)) << '\n';
  return int(ExitCode::Failed);
}

void printIncomplete(const ResourceReport &report, raw_ostream &err) {
  for (const MissingReport &missing : report.missing)
    err << "warplint: " << missing.source << ": " << missing.why << '\n';
  for (const std::string &note : report.notes)
    err << "warplint: " << note << '\n';
}

Expected<std::vector<Gate>> parseGates(const std::vector<std::string> &texts,
                                       StringRef flag) {
  std::vector<Gate> gates;
  for (const std::string &text : texts) {
    Expected<Gate> gate = Gate::parse(text);
    if (!gate)
      return failure(flag + " " + toString(gate.takeError()));
    gates.push_back(std::move(*gate));
  }
  return gates;
}

void printReport(const ResourceReport &report, const GateResult &gates,
                 const Options &options, bool terminal, raw_ostream &out) {
  if (options.format == Format::Json)
    return printResourceJson(report, gates.denied, out);
  if (options.format == Format::Csv)
    return printResourceCsv(report, out);
  if (options.format == Format::Markdown)
    return printResourceMarkdown(report, out);
  printResourceTable(report, terminal ? sys::Process::StandardOutColumns() : 0,
                     out);
  if (!report.rows.empty() || report.missing.empty())
    out << resourceClosing(report) << '\n';
}

void printComparison(const ResourceComparison &comparison, Format format,
                     raw_ostream &out) {
  if (format == Format::Json)
    printDiffJson(comparison, out);
  else if (format == Format::Markdown)
    printDiffMarkdown(comparison, out);
  else
    printDiffText(comparison, out);
}

/// JSON has them in it; a spreadsheet must not.
void printDenied(const GateResult &gates, Format format, raw_ostream &out,
                 raw_ostream &err) {
  if (format == Format::Json)
    return;
  raw_ostream &where = format == Format::Csv ? err : out;
  for (const std::string &sentence : gates.denied)
    where << (format == Format::Markdown ? "- " + markdownCell(sentence)
                                         : sentence)
          << '\n';
}

int exitCodeOf(bool anyFinding, bool incomplete) {
  return int(anyFinding   ? ExitCode::Findings
             : incomplete ? ExitCode::Unread
                          : ExitCode::Clean);
}

/// Of two-way ratchets: what is better is no reason to rejoice until it is
/// written down.
void printWayOut(const ResourceComparison &comparison, const std::string &file,
                 raw_ostream &err) {
  if (comparison.changes.empty())
    return;
  err << "warplint: "
      << (isWorse(comparison)
              ? "'" + file + "' allows less; what is meant to stay is recorded "
              : "'" + file + "' can be tightened; that is recorded ")
      << "by --update\n";
}

int runUpdate(const Options &options, const ReadResources &read,
              raw_ostream &out, raw_ostream &err) {
  if (!read.report.missing.empty()) {
    err << "warplint: '" << options.update
        << "' is not written, since reports are missing\n";
    return int(ExitCode::Unread);
  }
  if (sys::fs::exists(options.update)) {
    auto comparison = compareWithRatchet(options.update, read, options);
    if (!comparison)
      return fail(comparison.takeError(), err);
    printComparison(*comparison, options.format, out);
  }
  if (Error error = updateRatchet(options.update, read, options))
    return fail(std::move(error), err);
  err << "warplint: wrote '" << options.update << "'\n";
  return int(ExitCode::Clean);
}

} // namespace

int runResources(const Options &options, raw_ostream &out, raw_ostream &err,
                 bool terminal) {
  auto deny = parseGates(options.deny, "--deny");
  if (!deny)
    return fail(deny.takeError(), err);
  auto allow = parseGates(options.allow, "--allow");
  if (!allow)
    return fail(allow.takeError(), err);
  auto read = readResources(options);
  if (!read)
    return fail(read.takeError(), err);
  printIncomplete(read->report, err);
  if (!options.update.empty())
    return runUpdate(options, *read, out, err);

  GateResult gates = applyGates(read->report, *deny, *allow);
  bool anyFinding = !gates.denied.empty();
  bool incomplete = !read->report.missing.empty() || !gates.unanswered.empty();
  if (options.ratchet.empty()) {
    printReport(read->report, gates, options, terminal, out);
  } else {
    auto comparison = compareWithRatchet(options.ratchet, *read, options);
    if (!comparison)
      return fail(comparison.takeError(), err);
    printComparison(*comparison, options.format, out);
    printWayOut(*comparison, options.ratchet, err);
    for (const std::string &why : comparison->missing)
      err << "warplint: " << why << '\n';
    anyFinding |= !comparison->changes.empty();
    incomplete |= !comparison->missing.empty();
  }
  printDenied(gates, options.format, out, err);
  for (const std::string &why : gates.unanswered)
    err << "warplint: " << why << '\n';
  return exitCodeOf(anyFinding, incomplete);
}

int runDiff(const Options &options, raw_ostream &out, raw_ostream &err) {
  ResourceReport reports[2];
  bool incomplete = false;
  for (size_t i : {0, 1}) {
    const std::string &path = options.sources.paths[i];
    auto file = MemoryBuffer::getFileOrSTDIN(path);
    if (!file)
      return fail(failure("'" + path +
                          "' cannot be read: " + file.getError().message()),
                  err);
    auto report = readResourceJson((*file)->getBuffer(), path);
    if (!report)
      return fail(report.takeError(), err);
    reports[i] = std::move(*report);
    for (const MissingReport &missing : reports[i].missing)
      err << "warplint: '" << path << "' is incomplete: " << missing.source
          << ": " << missing.why << '\n';
    incomplete |= !reports[i].missing.empty();
  }
  ResourceComparison comparison = compareResources(
      reports[0], reports[1], [](const ResourceRow &) { return true; });
  printComparison(comparison, options.format, out);
  for (const std::string &why : comparison.missing)
    err << "warplint: " << why << '\n';
  incomplete |= !comparison.missing.empty();
  return exitCodeOf(isWorse(comparison), incomplete);
}

} // namespace warplint
