#include "report/text.h"
#include "report/snippet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

using namespace llvm;

namespace warplint {
namespace {

constexpr unsigned snippetWidth = 100;
constexpr unsigned namesShown = 3;

std::string count(unsigned number, StringRef noun) {
  return formatv("{0} {1}{2}", number, noun, number == 1 ? "" : "s");
}

/// "'a', 'b' and 'c'", "'a', 'b', 'c' and 4 more".
std::string quoted(ArrayRef<std::string> names) {
  SmallVector<std::string> parts;
  for (const std::string &name : names.take_front(namesShown))
    parts.push_back("'" + name + "'");
  if (names.size() > namesShown)
    parts.push_back(formatv("{0} more", names.size() - namesShown));
  std::string last = parts.pop_back_val();
  return parts.empty() ? last : join(parts, ", ") + " and " + last;
}

std::vector<std::string> kernelNames(const Finding &finding) {
  std::vector<std::string> names;
  for (const FindingKernel &kernel : finding.kernels)
    if (!is_contained(names, kernel.name))
      names.push_back(kernel.name);
  return names;
}

/// One line of evidence: what was seen alike in these kernels, on these
/// architectures.
struct Evidence {
  Judgement judgement;
  std::vector<std::string> kernels, architectures;
};

bool sameJudgement(const Judgement &left, const Judgement &right) {
  return left.verdict == right.verdict && left.evidence == right.evidence;
}

void addUnlessThere(std::vector<std::string> &list, const std::string &text) {
  if (!is_contained(list, text))
    list.push_back(text);
}

/// Kernels of one architecture that were judged alike become one.
std::vector<Evidence> evidenceByArchitecture(const Finding &finding) {
  std::vector<Evidence> result;
  for (const FindingKernel &kernel : finding.kernels) {
    auto same = find_if(result, [&](const Evidence &evidence) {
      return evidence.architectures.front() == kernel.architecture &&
             sameJudgement(evidence.judgement, kernel.judgement);
    });
    if (same == result.end()) {
      result.push_back({kernel.judgement, {}, {kernel.architecture}});
      same = std::prev(result.end());
    }
    addUnlessThere(same->kernels, kernel.name);
  }
  return result;
}

/// Then architectures on which the same kernels were judged alike; what counts
/// for the finding's verdict comes first.
std::vector<Evidence> evidenceOf(const Finding &finding) {
  std::vector<Evidence> result;
  for (Evidence &evidence : evidenceByArchitecture(finding)) {
    auto same = find_if(result, [&](const Evidence &other) {
      return other.kernels == evidence.kernels &&
             sameJudgement(other.judgement, evidence.judgement);
    });
    if (same == result.end())
      result.push_back(std::move(evidence));
    else
      same->architectures.push_back(evidence.architectures.front());
  }
  auto rank = [](const Evidence &evidence) {
    return evidence.judgement.verdict == Verdict::Confirmed  ? 0
           : evidence.judgement.verdict == Verdict::Unjudged ? 1
                                                             : 2;
  };
  stable_sort(result, [&](const Evidence &left, const Evidence &right) {
    return rank(left) < rank(right);
  });
  return result;
}

/// "sm_80, sm_90: in 'a' and 'b': 64 local loads: confirmed",
/// "sm_90: unjudged: no nvcc found".
std::string evidenceText(const Evidence &evidence, bool named) {
  SmallVector<std::string> parts;
  std::string architectures = join(evidence.architectures, ", ");
  if (!architectures.empty())
    parts.push_back(architectures);
  if (named)
    parts.push_back("in " + quoted(evidence.kernels));
  const Judgement &judgement = evidence.judgement;
  const bool unjudged = judgement.verdict == Verdict::Unjudged;
  if (unjudged)
    parts.push_back(spelling(judgement.verdict));
  if (!judgement.evidence.empty())
    parts.push_back(judgement.evidence);
  if (!unjudged)
    parts.push_back(spelling(judgement.verdict));
  return join(parts, ": ");
}

/// Prints findings one after the other; keeps the last source it showed, since
/// findings come sorted by file.
class Printer {
public:
  Printer(const TextOptions &options, raw_ostream &out)
      : options_(options), out_(out), colouredBefore_(out.colors_enabled()) {
    out_.enable_colors(options.colour);
  }
  ~Printer() { out_.enable_colors(colouredBefore_); }
  Printer(const Printer &) = delete;

  void print(const Finding &finding);
  void printUnread(const UnreadSource &unread);
  void printNote(StringRef note);

private:
  void printHead(const Finding &finding);
  void printSource(const Place &place);
  void printDetail(StringRef text);
  void printCalls(const Finding &finding, ArrayRef<std::string> names);
  std::string shown(const Place &place) const;
  StringRef sourceText(const std::string &file);

  const TextOptions &options_;
  raw_ostream &out_;
  const bool colouredBefore_;
  std::string file_;
  std::unique_ptr<MemoryBuffer> buffer_; ///< null if it cannot be read
};

std::string Printer::shown(const Place &place) const {
  std::string text = shownPath(place.file, options_.relativeTo).str();
  if (place.line != 0)
    text += formatv(":{0}", place.line);
  if (place.line != 0 && place.column != 0)
    text += formatv(":{0}", place.column);
  return text;
}

void Printer::printHead(const Finding &finding) {
  out_.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  out_ << shown(finding.place) << ": ";
  // Severities as compilers have them, so that editors know them.
  if (finding.verdict() == Verdict::Refuted)
    out_.changeColor(raw_ostream::BLUE, true) << "remark: ";
  else if (finding.level == Level::Opinion)
    out_.changeColor(raw_ostream::CYAN, true) << "note: ";
  else
    out_.changeColor(raw_ostream::MAGENTA, true) << "warning: ";
  out_.resetColor();
  out_.changeColor(raw_ostream::SAVEDCOLOR, true);
  out_ << finding.message;
  out_.resetColor();
  out_ << " [" << finding.check << "]\n";
}

StringRef Printer::sourceText(const std::string &file) {
  if (file != file_) {
    file_ = file;
    auto read = MemoryBuffer::getFile(file, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    buffer_ = read ? std::move(*read) : nullptr;
  }
  return buffer_ ? buffer_->getBuffer() : StringRef();
}

void Printer::printSource(const Place &place) {
  std::optional<StringRef> line = lineOf(sourceText(place.file), place.line);
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
  SmallVector<StringRef> lines;
  text.rtrim().split(lines, '\n');
  out_ << "      = " << lines.front().rtrim() << '\n';
  for (StringRef line : drop_begin(lines))
    out_ << "        " << line.rtrim() << '\n';
}

void Printer::printCalls(const Finding &finding, ArrayRef<std::string> names) {
  if (finding.callSites.empty())
    return;
  std::string text;
  for (const Place &call : reverse(finding.callSites))
    text += (text.empty() ? "called from " : ", called from ") + shown(call);
  if (names.size() == 1)
    text += " in " + quoted(names);
  printDetail(text);
}

void Printer::print(const Finding &finding) {
  printHead(finding);
  printSource(finding.place);
  std::vector<std::string> names = kernelNames(finding);
  for (const Evidence &evidence : evidenceOf(finding))
    printDetail(evidenceText(evidence, names.size() > 1));
  for (const std::string &note : finding.notes)
    printDetail(note);
  printCalls(finding, names);
  if (!finding.fix.empty())
    printDetail("fix: " + finding.fix);
}

void Printer::printUnread(const UnreadSource &unread) {
  out_.changeColor(raw_ostream::SAVEDCOLOR, true);
  out_ << shownPath(unread.source, options_.relativeTo) << ": ";
  out_.resetColor();
  out_ << (unread.anyKernelRead ? "read in part" : "not read");
  if (!unread.firstError.empty())
    out_ << ": " << shownPath(unread.firstError, options_.relativeTo);
  out_ << '\n';
}

void Printer::printNote(StringRef note) {
  out_.changeColor(raw_ostream::CYAN, true) << "note: ";
  out_.resetColor() << note << '\n';
}

struct Counts {
  unsigned warnings = 0, opinions = 0; ///< not refuted
  unsigned confirmed = 0, unjudged = 0, refuted = 0;
};

Counts countFindings(ArrayRef<Finding> findings) {
  Counts counts;
  for (const Finding &finding : findings) {
    Verdict verdict = finding.verdict();
    if (verdict == Verdict::Refuted) {
      ++counts.refuted;
      continue;
    }
    ++(finding.level == Level::Opinion ? counts.opinions : counts.warnings);
    ++(verdict == Verdict::Confirmed ? counts.confirmed : counts.unjudged);
  }
  return counts;
}

/// Why nothing was judged, if it is one line and the same everywhere.
std::string commonReason(ArrayRef<Finding> findings) {
  std::vector<std::string> reasons;
  for (const Finding &finding : findings) {
    if (finding.verdict() != Verdict::Unjudged)
      continue;
    for (const FindingKernel &kernel : finding.kernels)
      if (kernel.judgement.verdict == Verdict::Unjudged)
        addUnlessThere(reasons, kernel.judgement.evidence);
  }
  if (reasons.size() != 1 || StringRef(reasons.front()).contains('\n'))
    return "";
  return reasons.front();
}

/// " (2 confirmed, 1 unjudged: no nvcc found)"; nothing if all is confirmed.
std::string verdicts(const Report &report, const Counts &counts) {
  if (counts.unjudged == 0)
    return "";
  std::string text = " (";
  if (counts.confirmed != 0)
    text += formatv("{0} confirmed, {1} ", counts.confirmed, counts.unjudged);
  text += "unjudged";
  std::string reason = commonReason(report.findings);
  if (!reason.empty())
    text += ": " + reason;
  return text + ")";
}

std::string nothingFound(const Report &report) {
  if (report.sourcesRead == 0 && report.kernelsRead == 0)
    return report.unread.empty() ? "no findings" : "no source could be read";
  std::string sources = count(report.sourcesRead, "source");
  if (report.kernelsRead == 0)
    return "no kernels in " + sources;
  return "no findings in " + count(report.kernelsRead, "kernel") +
         (report.sourcesRead == 0 ? "" : " of " + sources);
}

std::string closingLine(const Report &report, bool refutedShown) {
  Counts counts = countFindings(report.findings);
  SmallVector<std::string> parts;
  if (counts.warnings != 0)
    parts.push_back(count(counts.warnings, "warning"));
  if (counts.opinions != 0)
    parts.push_back(count(counts.opinions, "opinion"));
  std::string text = parts.empty()
                         ? nothingFound(report)
                         : join(parts, " and ") + verdicts(report, counts);
  if (counts.refuted == 0)
    return text;
  text += ", " + count(counts.refuted, "suspicion") +
          " refuted by the compiled code";
  if (!refutedShown)
    text += counts.refuted == 1 ? " (--refuted shows it)"
                                : " (--refuted shows them)";
  return text;
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

void printText(const Report &report, const TextOptions &options,
               raw_ostream &out) {
  Printer printer(options, out);
  for (const Finding &finding : report.findings)
    if (options.refuted || finding.verdict() != Verdict::Refuted)
      printer.print(finding);
  out << closingLine(report, options.refuted) << '\n';
  for (const UnreadSource &unread : report.unread)
    printer.printUnread(unread);
  for (const std::string &note : report.notes)
    printer.printNote(note);
}

} // namespace warplint
