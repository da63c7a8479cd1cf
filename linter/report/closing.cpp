#include "report/closing.h"
#include "base/plural.h"
#include "findings/useless_allow.h"
#include "report/evidence.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

struct Counts {
  unsigned warnings = 0, opinions = 0; ///< not refuted
  unsigned confirmed = 0, unjudged = 0, refuted = 0;
  unsigned useless = 0; ///< allowances
};

Counts countFindings(ArrayRef<Finding> findings) {
  Counts counts;
  for (const Finding &finding : findings) {
    if (isAboutComment(finding)) {
      ++counts.useless;
      continue;
    }
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

/// The reason why nothing was judged, if it is one line and the same for all
/// findings.
std::string commonReason(ArrayRef<Finding> findings) {
  std::set<std::string> reasons;
  for (const Finding &finding : findings) {
    if (finding.verdict() != Verdict::Unjudged)
      continue;
    for (const FindingKernel &kernel : finding.kernels)
      if (kernel.judgement.verdict == Verdict::Unjudged)
        reasons.insert(kernel.judgement.evidence);
  }
  if (reasons.size() != 1 || StringRef(*reasons.begin()).contains('\n'))
    return "";
  return *reasons.begin();
}

/// " (2 confirmed, 1 unjudged: no nvcc found)"; empty if all are confirmed.
std::string verdicts(const Report &report, const Counts &counts) {
  if (counts.unjudged == 0)
    return "";
  std::string text = " (";
  if (counts.confirmed != 0)
    text += formatv("{0} confirmed, {1} ", counts.confirmed, counts.unjudged);
  text += "unjudged";
  const std::string reason = commonReason(report.findings);
  const bool isInNote =
      isSaidOnce(reason) && any_of(report.notes, [&](StringRef note) {
        return note.contains(reason);
      });
  if (!reason.empty() && !isInNote)
    text += ": " + reason;
  return text + ")";
}

std::string nothingFound(const Report &report) {
  if (report.sourcesRead == 0 && report.kernelsRead == 0)
    return report.unread.empty() ? "no findings" : "no source could be linted";
  std::string sources = counted(report.sourcesRead, "source");
  if (report.kernelsRead == 0)
    return "no kernels in " + sources;
  return "no findings in " + counted(report.kernelsRead, "kernel") +
         (report.sourcesRead == 0 ? "" : " of " + sources);
}

/// ", 1 source not linted, 2 kernels linted in part": without these words,
/// silence means clean.
std::string leftOut(const Report &report) {
  std::set<StringRef> sources;
  for (const UnreadSource &unread : report.unread)
    if (!unread.anyKernelRead)
      sources.insert(unread.source);
  std::string text;
  const bool anyLinted = report.sourcesRead || report.kernelsRead;
  if (!sources.empty() && anyLinted)
    text += ", " + counted(sources.size(), "source") + " not linted";
  if (!report.unreadKernels.empty())
    text +=
        ", " + counted(report.unreadKernels.size(), "kernel") + " not linted";
  if (report.kernelTemplatesIdle)
    text += ", " + counted(report.kernelTemplatesIdle, "kernel template") +
            " without an instance";
  if (report.kernelsInPart)
    text += ", " + counted(report.kernelsInPart, "kernel") + " linted in part";
  return text;
}

} // namespace

std::string closingLine(const Report &report, bool refutedShown) {
  Counts counts = countFindings(report.findings);
  SmallVector<std::string> parts;
  if (counts.warnings != 0)
    parts.push_back(counted(counts.warnings, "warning"));
  if (counts.opinions != 0)
    parts.push_back(counted(counts.opinions, "opinion"));
  std::string text = parts.empty()
                         ? nothingFound(report)
                         : join(parts, " and ") + verdicts(report, counts);
  text += leftOut(report);
  if (counts.useless != 0)
    text += ", " + counted(counts.useless, "useless allowance");
  if (report.minor)
    text += ", " + std::to_string(report.minor) + " minor (--minor shows " +
            (report.minor == 1 ? "it)" : "them)");
  if (report.beyond)
    text += ", " + std::to_string(report.beyond) + " beyond --max-findings";
  if (report.known)
    text += ", " + std::to_string(report.known) + " known from the baseline";
  if (report.allowed)
    text += ", " + std::to_string(report.allowed) + " allowed by comments";
  if (counts.refuted == 0)
    return text;
  text += ", " + counted(counts.refuted, "suspicion") +
          " refuted by the compiled code";
  if (!refutedShown)
    text += counts.refuted == 1 ? " (--refuted shows it)"
                                : " (--refuted shows them)";
  return text;
}

} // namespace warplint
