#include "report/text.h"
#include "base/listed.h"
#include "base/plural.h"
#include "base/printable.h"
#include "findings/check.h"
#include "report/closing.h"
#include "report/evidence.h"
#include "report/snippet.h"
#include "report/source_lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {
namespace {

constexpr unsigned snippetWidth = 100;

/// Prints findings in order.
class Printer {
public:
  Printer(const TextOptions &options, const Buffers &buffers, raw_ostream &out)
      : options_(options), out_(out), colouredBefore_(out.colors_enabled()),
        sources_(buffers) {
    out_.enable_colors(options.colour);
  }
  ~Printer() { out_.enable_colors(colouredBefore_); }
  Printer(const Printer &) = delete;

  void print(const Finding &finding);
  void printOneLine(const Finding &finding);
  void printDearest(ArrayRef<Finding> findings);
  /// Prints sources with one reason as one line.
  void printUnread(ArrayRef<UnreadSource> sources);
  void printUnreadKernels(ArrayRef<UnreadKernel> kernels);
  void printNote(StringRef note);

private:
  void printHead(const Finding &finding);
  void printSource(const Place &place);
  void printDetail(StringRef text);
  Finding withReasonsOnce(Finding finding);
  void printWhereMeasured(StringRef check);
  void printCalls(const Finding &finding, ArrayRef<std::string> names);
  std::string shown(const Place &place) const;

  const TextOptions &options_;
  raw_ostream &out_;
  const bool colouredBefore_;
  SourceLines sources_;
  StringSet<> reasons_;  ///< long ones, why a finding is unjudged
  StringSet<> measured_; ///< checks for which Nsight Compute was named
};

std::string Printer::shown(const Place &place) const {
  std::string text = printablePath(place.file, options_.relativeTo);
  if (place.line != 0)
    text += formatv(":{0}", place.line);
  if (place.line != 0 && place.column != 0)
    text += formatv(":{0}", place.column);
  return text;
}

void Printer::printHead(const Finding &finding) {
  out_.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  out_ << shown(finding.place) << ": ";
  // Severities are those of compilers, so that editors recognise them.
  if (finding.verdict() == Verdict::Refuted)
    out_.changeColor(raw_ostream::BLUE, true) << "remark: ";
  else if (finding.level == Level::Opinion)
    out_.changeColor(raw_ostream::CYAN, true) << "note: ";
  else
    out_.changeColor(raw_ostream::MAGENTA, true) << "warning: ";
  out_.resetColor();
  out_.changeColor(raw_ostream::SAVEDCOLOR, true);
  out_ << printable(finding.message);
  out_.resetColor();
  out_ << " [" << printable(finding.check) << ']';
}

void Printer::printSource(const Place &place) {
  std::optional<StringRef> line = sources_.line(place.file, place.line);
  if (!line)
    return;
  Snippet shown = snippet(*line, place.column, snippetWidth);
  out_ << format("%5u | ", place.line) << StringRef(shown.text).rtrim() << '\n';
  if (!shown.caret)
    return;
  out_ << "      | ";
  out_.indent(*shown.caret);
  out_.changeColor(raw_ostream::GREEN, true) << '^';
  out_.resetColor() << '\n';
}

void Printer::printDetail(StringRef text) {
  // A compiler's message, which is a detail of several lines, may hold a
  // workflow command in a file's name.
  SmallVector<StringRef> lines;
  text.rtrim().split(lines, '\n');
  out_ << "      = " << printable(lines.front().rtrim()) << '\n';
  for (StringRef line : drop_begin(lines))
    out_ << "        " << (isWorkflowCommand(line) ? "| " : "")
         << printable(line.rtrim()) << '\n';
}

/// A compiler's message stands at the first finding that it leaves unjudged.
Finding Printer::withReasonsOnce(Finding finding) {
  std::vector<std::string> first;
  for (FindingKernel &kernel : finding.kernels) {
    Judgement &judgement = kernel.judgement;
    if (judgement.verdict != Verdict::Unjudged ||
        !isSaidOnce(judgement.evidence))
      continue;
    if (reasons_.contains(judgement.evidence))
      judgement.evidence = "as above";
    else
      first.push_back(judgement.evidence);
  }
  for (const std::string &reason : first)
    reasons_.insert(reason);
  return finding;
}

void Printer::printCalls(const Finding &finding, ArrayRef<std::string> names) {
  if (finding.callSites.empty())
    return;
  std::vector<std::string> calls;
  for (const Place &call : reverse(finding.callSites))
    calls.push_back("called from " + shown(call));
  // Of many, the innermost two and the one in the kernel.
  constexpr size_t most = 4, innermost = 2;
  if (calls.size() > most) {
    calls[innermost] =
        formatv("{0} calls further", calls.size() - innermost - 1);
    calls.erase(calls.begin() + innermost + 1, calls.end() - 1);
  }
  std::string text = join(calls, ", ");
  if (names.size() == 1)
    text += " in " + printable(quoted(names));
  printDetail(text);
}

/// Once for each check: it is the same for all its findings.
void Printer::printWhereMeasured(StringRef id) {
  const Check *check = findCheck(id);
  if (check && !check->info.ncu.empty() && measured_.insert(id).second)
    printDetail("in Nsight Compute: " + std::string(check->info.ncu));
}

void Printer::print(const Finding &finding) {
  printHead(finding);
  out_ << '\n';
  printSource(finding.place);
  std::vector<std::string> names = kernelNames(finding);
  for (const std::string &line : detailLines(withReasonsOnce(finding)))
    printDetail(line);
  printCalls(finding, names);
  if (finding.verdict() != Verdict::Refuted)
    printWhereMeasured(finding.check);
  for (const std::string &line : helpLines(finding))
    printDetail(line);
}

void Printer::printOneLine(const Finding &finding) {
  printHead(finding);
  out_ << " (" << spelling(finding.verdict());
  if (const std::string condition = finding.condition(); !condition.empty())
    out_ << " if " << printable(condition);
  if (finding.share && finding.verdict() != Verdict::Refuted)
    out_ << format(", about %.0f %% of the kernel's time",
                   *finding.share * 100);
  out_ << ")\n";
}

/// A terminal shows the end of a long report first.
void Printer::printDearest(ArrayRef<Finding> findings) {
  constexpr size_t many = 20, shown = 5;
  std::vector<const Finding *> costed;
  for (const Finding &finding : findings)
    if (finding.share && finding.verdict() != Verdict::Refuted)
      costed.push_back(&finding);
  if (findings.size() <= many || costed.size() <= shown)
    return;
  stable_sort(costed, [](const Finding *a, const Finding *b) {
    return *a->share > *b->share;
  });
  out_ << "the dearest:\n";
  for (const Finding *finding : ArrayRef(costed).take_front(shown))
    out_ << format("%5.0f %%  ", *finding->share * 100)
         << this->shown(finding->place) << "  [" << printable(finding->check)
         << "] in " << printable(quoted(kernelNames(*finding))) << '\n';
}

void Printer::printUnread(ArrayRef<UnreadSource> sources) {
  constexpr size_t most = 3; // that are named beside the first
  auto named = [&](const UnreadSource *unread) {
    return printablePath(unread->source, options_.relativeTo);
  };
  auto kind = [](const UnreadSource &unread) {
    const StringRef reason = unread.firstError;
    // A missing header is one reason, whichever line includes it.
    return std::pair(reason.contains("' file not found")
                         ? reason.substr(reason.find('\''))
                         : reason,
                     unread.anyKernelRead);
  };
  std::map<std::pair<StringRef, bool>, std::vector<const UnreadSource *>> alike;
  for (const UnreadSource &unread : sources)
    alike[kind(unread)].push_back(&unread);
  for (const UnreadSource &unread : sources) {
    const auto &group = alike[kind(unread)];
    const bool hasReason = !unread.firstError.empty();
    if (hasReason && group.front() != &unread)
      continue;
    out_.changeColor(raw_ostream::SAVEDCOLOR, true);
    out_ << named(&unread) << ": ";
    out_.resetColor();
    out_ << (unread.anyKernelRead ? "read in part" : "not read");
    if (hasReason)
      out_ << ": "
           << printable(shownPath(unread.firstError, options_.relativeTo));
    out_ << '\n';
    if (!hasReason || group.size() == 1)
      continue;
    std::vector<std::string> others;
    for (const UnreadSource *other : drop_begin(group))
      if (others.size() < most)
        others.push_back(named(other));
    out_ << "  likewise " << listed(others, group.size() - 1 - others.size())
         << '\n';
  }
}

void Printer::printUnreadKernels(ArrayRef<UnreadKernel> kernels) {
  constexpr size_t most = 5;
  // Instances of a template have one name here.
  std::vector<std::pair<const UnreadKernel *, unsigned>> lines;
  for (const UnreadKernel &kernel : kernels) {
    auto same = find_if(lines, [&](const auto &line) {
      return std::tie(line.first->source, line.first->name, line.first->why) ==
             std::tie(kernel.source, kernel.name, kernel.why);
    });
    if (same == lines.end())
      lines.push_back({&kernel, 1});
    else
      ++same->second;
  }
  size_t shown = 0;
  for (const auto &[kernel, instances] : ArrayRef(lines).take_front(most)) {
    shown += instances;
    out_ << printablePath(kernel->source, options_.relativeTo) << ": "
         << (instances > 1 ? counted(instances, "instance") + " of " : "")
         << "kernel '" << printable(kernel->name)
         << "' not read: " << printable(kernel->why) << '\n';
  }
  if (lines.size() > most)
    out_ << counted(kernels.size() - shown, "more kernel") << " not read\n";
}

void Printer::printNote(StringRef note) {
  out_.changeColor(raw_ostream::CYAN, true) << "note: ";
  out_.resetColor() << printable(note) << '\n';
}

} // namespace

StringRef shownPath(StringRef path, StringRef folder) {
  folder = folder.rtrim('/');
  StringRef rest = path;
  if (!folder.empty() && rest.consume_front(folder) &&
      rest.consume_front("/") && !rest.empty())
    return rest;
  return path;
}

std::string printablePath(StringRef path, StringRef folder) {
  const StringRef shown = shownPath(path, folder);
  return (isWorkflowCommand(shown) ? "./" : "") + printable(shown);
}

static void printFindings(const Report &report, const TextOptions &options,
                          Printer &printer,
                          void (Printer::*print)(const Finding &)) {
  for (const Finding &finding : report.findings)
    if (options.refuted || finding.verdict() != Verdict::Refuted)
      (printer.*print)(finding);
}

static void printUnread(const Report &report, Printer &printer) {
  printer.printUnread(report.unread);
  printer.printUnreadKernels(report.unreadKernels);
}

/// Prints the totals, what could not be read, and the notes.
static void printEnd(const Report &report, const TextOptions &options,
                     Printer &printer, raw_ostream &out) {
  if (!options.quiet)
    out << closingLine(report, options.refuted) << '\n';
  printUnread(report, printer);
  if (options.quiet)
    return;
  for (const std::string &note : report.notes)
    printer.printNote(note);
}

void printWarnings(const Report &report, const TextOptions &options,
                   raw_ostream &out) {
  Printer printer(options, report.buffers, out);
  printFindings(report, options, printer, &Printer::print);
  printUnread(report, printer);
}

void printText(const Report &report, const TextOptions &options,
               raw_ostream &out) {
  Printer printer(options, report.buffers, out);
  printFindings(report, options, printer, &Printer::print);
  if (!options.quiet)
    printer.printDearest(report.findings);
  printEnd(report, options, printer, out);
}

void printConcise(const Report &report, const TextOptions &options,
                  raw_ostream &out) {
  Printer printer(options, report.buffers, out);
  printFindings(report, options, printer, &Printer::printOneLine);
  printEnd(report, options, printer, out);
}

} // namespace warplint
