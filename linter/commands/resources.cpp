#include "run/resources.h"
#include "base/failure.h"
#include "base/printable.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/ratchet.h"
#include "commands/resource_comparison.h"
#include "report/report.h"
#include "report/resources/gate.h"
#include "report/resources/resource_diff.h"
#include "report/resources/resource_json.h"
#include "report/resources/resource_table.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace warplint {
namespace {

void printIncomplete(const ResourceReport &report, raw_ostream &err) {
  for (const MissingReport &missing : report.missing)
    err << "warplint: " << printable(missing.source + ": " + missing.why)
        << '\n';
  for (const std::string &note : report.notes)
    err << "warplint: " << printable(note) << '\n';
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

/// True for a kernel that spills, or whose occupancy its registers limit.
bool isHeldBack(const ResourceRow &row) {
  return row.spill().value_or(0) ||
         llvm::any_of(row.launches, [](const LaunchOccupancy &launch) {
           return StringRef(launch.limit).contains("registers");
         });
}

void printReport(const ResourceReport &report, const GateResult &gates,
                 const Options &options, bool terminal, raw_ostream &out) {
  const Format format = options.output.format;
  if (format == Format::Json)
    return printResourceJson(report, gates.denied, out);
  if (format == Format::Csv)
    return printResourceCsv(report, out);
  if (format == Format::Markdown)
    return printResourceMarkdown(report, out);
  printResourceTable(report, terminal ? sys::Process::StandardOutColumns() : 0,
                     out);
  if (options.resources.explain)
    for (const ResourceRow &row : report.rows)
      if (!row.explanation.empty() && isHeldBack(row))
        out << printable(row.kernel + " (" + row.architecture +
                         "): " + row.explanation)
            << '\n';
  if (!report.rows.empty() || report.missing.empty())
    out << resourceClosing(report) << '\n';
}

/// Lists the gates that do not hold. The JSON contains them; in CSV they would
/// break the table, so they go to `err`.
void printDenied(const GateResult &gates, Format format, raw_ostream &out,
                 raw_ostream &err) {
  if (format == Format::Json)
    return;
  raw_ostream &where = format == Format::Csv ? err : out;
  for (const std::string &sentence : gates.denied)
    where << (format == Format::Markdown ? "- " + markdownCell(sentence)
                                         : printable(sentence))
          << '\n';
}

/// Says how to record the changes in the ratchet file.
void printHowToUpdate(const ResourceComparison &comparison,
                      const std::string &file, raw_ostream &err) {
  if (comparison.changes.empty())
    return;
  err << "warplint: "
      << (isWorse(comparison)
              ? "'" + file +
                    "' allows less; --update records changes that are "
                    "intended\n"
              : "'" + file + "' can be tightened; --update does so\n");
}

int runUpdate(const Options &options, const ReadResources &read,
              raw_ostream &out, raw_ostream &err) {
  if (!read.report.missing.empty()) {
    err << "warplint: '" << options.resources.update
        << "' is not written, since reports are missing\n";
    return int(ExitCode::Unread);
  }
  if (sys::fs::exists(options.resources.update)) {
    auto comparison =
        compareWithRatchet(options.resources.update, read, options.settings);
    if (!comparison)
      return fail(comparison.takeError(), err);
    printComparison(*comparison, options.output.format, out);
  }
  if (Error error =
          updateRatchet(options.resources.update, read, options.settings))
    return fail(std::move(error), err);
  err << "warplint: wrote '" << options.resources.update << "'\n";
  return int(ExitCode::Clean);
}

} // namespace

int runResources(const Options &options, raw_ostream &out, raw_ostream &err,
                 bool terminal) {
  auto deny = parseGates(options.resources.deny, "--deny");
  if (!deny)
    return fail(deny.takeError(), err);
  auto allow = parseGates(options.resources.allow, "--allow");
  if (!allow)
    return fail(allow.takeError(), err);
  auto read = readResources(options);
  if (!read)
    return fail(read.takeError(), err);
  printIncomplete(read->report, err);
  if (!options.resources.update.empty())
    return runUpdate(options, *read, out, err);

  GateResult gates = applyGates(read->report, *deny, *allow);
  bool anyFinding = !gates.denied.empty();
  bool incomplete = !read->report.missing.empty() || !gates.unanswered.empty();
  if (options.resources.ratchet.empty()) {
    printReport(read->report, gates, options, terminal, out);
  } else {
    auto comparison =
        compareWithRatchet(options.resources.ratchet, *read, options.settings);
    if (!comparison)
      return fail(comparison.takeError(), err);
    printComparison(*comparison, options.output.format, out);
    printHowToUpdate(*comparison, options.resources.ratchet, err);
    for (const std::string &why : comparison->missing)
      err << "warplint: " << printable(why) << '\n';
    anyFinding |= !comparison->changes.empty();
    incomplete |= !comparison->missing.empty();
  }
  printDenied(gates, options.output.format, out, err);
  for (const std::string &why : gates.unanswered)
    err << "warplint: " << printable(why) << '\n';
  return exitCodeOf(anyFinding, incomplete);
}

} // namespace warplint
