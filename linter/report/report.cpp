#include "report/report.h"
#include "findings/useless_allow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>

using namespace llvm;

namespace warplint {

/// "k<4>" before "k<16>", "sm_90" before "sm_100".
static int compareNatural(StringRef left, StringRef right) {
  if (int order = left.compare_numeric(right))
    return order;
  return left.compare(right);
}

static bool kernelBefore(const FindingKernel &left,
                         const FindingKernel &right) {
  if (int order = compareNatural(left.name, right.name))
    return order < 0;
  if (int order = left.mangled.compare(right.mangled))
    return order < 0;
  if (int order = compareNatural(left.architecture, right.architecture))
    return order < 0;
  auto rest = [](const Judgement &judgement) {
    return std::tie(judgement.verdict, judgement.evidence, judgement.condition);
  };
  return rest(left.judgement) < rest(right.judgement);
}

/// Keeps kernels that differ only in their judgement: one header can be
/// compiled in two ways.
static bool sameKernel(const FindingKernel &left, const FindingKernel &right) {
  return !kernelBefore(left, right) && !kernelBefore(right, left);
}

/// A total order, so that the result does not depend on the order of the
/// findings. The representative of merged findings comes first: a confirmed
/// one, then the heaviest.
static bool findingBefore(const Finding &left, const Finding &right) {
  if (left.identity() != right.identity())
    return left.identity() < right.identity();
  auto rank = [](const Finding &finding) {
    Verdict verdict = finding.verdict();
    return verdict == Verdict::Confirmed  ? 0
           : verdict == Verdict::Unjudged ? 1
                                          : 2;
  };
  if (rank(left) != rank(right))
    return rank(left) < rank(right);
  if (left.weight != right.weight)
    return left.weight > right.weight;
  auto rest = [](const Finding &finding) {
    return std::tie(finding.message, finding.level, finding.notes, finding.fix);
  };
  return rest(left) < rest(right);
}

static void unite(Finding &into, const Finding &from) {
  // The worst instance decides, of those in which the finding holds.
  const bool holds =
      from.verdict() != Verdict::Refuted || into.verdict() == Verdict::Refuted;
  const bool isWorst =
      holds && from.share && (!into.share || *from.share > *into.share);
  const bool pays = holds && (!from.share || *from.share >= from.leastShare);
  // A remedy for elements of 8 bytes mends no elements of 20: only where two
  // instances say the same, the one without a remedy, whose notes may say why,
  // takes that of the other.
  const bool isCompleted =
      pays && into.fix.empty() && from.message == into.message;
  const bool tellsOfOther =
      !from.fix.empty() && from.fix != into.fix && (isWorst || isCompleted);
  if (tellsOfOther) {
    into.fix = from.fix;
    into.message = from.message;
    into.notes = from.notes;
  }
  if (isWorst) {
    into.share = from.share;
    into.cost = from.cost;
    into.launch = from.launch;
  }
  // An instance in which the base of a power has to be converted decides.
  const bool isPower = into.edit && into.edit->change == Change::ReplacePower;
  if (!into.edit ||
      (isPower && from.edit && from.edit->name.size() > into.edit->name.size()))
    into.edit = from.edit;
  // What one instance assumes, the edit of all assumes.
  else if (from.edit && from.edit->kind > into.edit->kind) {
    into.edit->kind = from.edit->kind;
    into.edit->assumes = from.edit->assumes;
  }
  if (holds)
    into.minor &= from.minor;
  append_range(into.kernels, from.kernels);
}

std::vector<Finding> mergeFindings(std::vector<Finding> findings) {
  for (Finding &finding : findings)
    for (FindingKernel &kernel : finding.kernels)
      if (!kernel.share)
        kernel.share = finding.share;
  sort(findings, findingBefore);
  std::vector<Finding> merged;
  for (Finding &finding : findings) {
    if (!merged.empty() && merged.back().identity() == finding.identity())
      unite(merged.back(), finding);
    else
      merged.push_back(std::move(finding));
  }
  for (Finding &finding : merged) {
    sort(finding.kernels, kernelBefore);
    finding.kernels.erase(llvm::unique(finding.kernels, sameKernel),
                          finding.kernels.end());
  }
  return merged;
}

/// A useless comment costs no time, and often marks code that was fixed.
static bool isFailure(const Finding &finding, bool unconditionalOnly) {
  return finding.verdict() != Verdict::Refuted && !finding.minor &&
         (!unconditionalOnly || finding.condition().empty()) &&
         !(isAboutComment(finding) && finding.level == Level::Opinion);
}

ExitCode exitCode(const Report &report) {
  for (const Finding &finding : report.findings)
    if (isFailure(finding, report.unconditionalOnly))
      return ExitCode::Findings;
  return report.unread.empty() ? ExitCode::Clean : ExitCode::Unread;
}

} // namespace warplint
