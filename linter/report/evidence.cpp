#include "report/evidence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

static constexpr unsigned namesShown = 3;

std::string quoted(ArrayRef<std::string> names) {
  SmallVector<std::string> parts;
  for (const std::string &name : names.take_front(namesShown))
    parts.push_back("'" + name + "'");
  if (names.size() > namesShown)
    parts.push_back(formatv("{0} more", names.size() - namesShown));
  std::string last = parts.pop_back_val();
  return parts.empty() ? last : join(parts, ", ") + " and " + last;
}

static void addUnlessThere(std::vector<std::string> &list,
                           const std::string &text) {
  if (!is_contained(list, text))
    list.push_back(text);
}

std::vector<std::string> kernelNames(const Finding &finding) {
  std::vector<std::string> names;
  for (const FindingKernel &kernel : finding.kernels)
    addUnlessThere(names, kernel.name);
  return names;
}

namespace {

/// One line of evidence: what was seen alike in these kernels, on these
/// architectures.
struct Evidence {
  Judgement judgement;
  std::vector<std::string> kernels, architectures;
};

bool sameJudgement(const Judgement &left, const Judgement &right) {
  return left.verdict == right.verdict && left.evidence == right.evidence;
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

} // namespace

std::vector<std::string> evidenceLines(const Finding &finding) {
  const bool named = kernelNames(finding).size() > 1;
  std::vector<std::string> lines;
  for (const Evidence &evidence : evidenceOf(finding))
    lines.push_back(evidenceText(evidence, named));
  return lines;
}

} // namespace warplint
