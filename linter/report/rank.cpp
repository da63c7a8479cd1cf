#include "report/rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <tuple>

namespace warplint {

namespace {

/// The name without template arguments, and without what tells instances apart.
llvm::StringRef templateOf(llvm::StringRef name) {
  return name.take_until([](char c) { return c == '<' || c == '['; }).rtrim();
}

/// Pointers that are fields of one structure have one cause where one remedy
/// ends it.
std::string causeOf(const Finding &finding) {
  if (!finding.cause.empty())
    return finding.cause;
  const llvm::StringRef object = finding.object;
  const size_t field = std::min(object.find("->"), object.find('.'));
  return field == llvm::StringRef::npos || finding.fix.empty()
             ? object.str()
             : (object.take_front(field) + " " + finding.fix).str();
}

double rankOf(const Finding &finding) {
  if (finding.verdict() == Verdict::Refuted)
    return -2;
  return finding.share.value_or(unknownShare) - (finding.minor ? 1 : 0);
}

void join(Finding &into, Finding &part) {
  part.isPart = true;
  into.places.push_back(part.place);
  into.minor &= part.minor;
  if (into.fix.empty())
    into.fix = part.fix;
}

/// The share that findings of one cause save together: of the instances of a
/// template, each of which has a time of its own, the one that saves most.
double jointShare(llvm::ArrayRef<Finding *> group) {
  std::map<llvm::StringRef, double> ofInstances;
  for (const Finding *finding : group) {
    std::map<llvm::StringRef, double> instances; // once for all architectures
    for (const FindingKernel &kernel : finding->kernels) {
      if (kernel.judgement.verdict == Verdict::Refuted &&
          finding->verdict() != Verdict::Refuted)
        continue;
      double &share = instances[kernel.name];
      share =
          std::max(share, kernel.share.value_or(finding->share.value_or(0)));
    }
    for (const auto &[instance, share] : instances)
      ofInstances[instance] += share;
  }
  double most = 0;
  for (const auto &[instance, share] : ofInstances)
    most = std::max(most, share);
  return std::min(1.0, most);
}

} // namespace

void joinCauses(std::vector<Finding> &findings) {
  using Cause = std::tuple<std::string, std::string, std::string, Place,
                           std::string, Verdict>;
  std::map<Cause, std::vector<Finding *>> causes;
  for (Finding &finding : findings)
    if (!causeOf(finding).empty() && !finding.kernels.empty())
      causes[{finding.check, finding.place.file,
              templateOf(finding.kernels.front().name).str(),
              finding.kernels.front().place, causeOf(finding),
              finding.verdict()}]
          .push_back(&finding);
  for (auto &[cause, group] : causes) {
    Finding &dearest = **llvm::max_element(group, [](auto *a, auto *b) {
      return a->share.value_or(0) < b->share.value_or(0);
    });
    if (dearest.share)
      dearest.share = jointShare(group);
    for (Finding *finding : group)
      if (finding != &dearest)
        join(dearest, *finding);
  }
}

void dropParts(Report &report) {
  llvm::erase_if(report.findings,
                 [](const Finding &finding) { return finding.isPart; });
}

void markMinor(std::vector<Finding> &findings, std::optional<double> given) {
  for (Finding &finding : findings)
    finding.minor |=
        finding.share && *finding.share < given.value_or(finding.leastShare);
}

void sortByCost(std::vector<Finding> &findings) {
  llvm::stable_sort(findings, [](const Finding &a, const Finding &b) {
    return rankOf(a) > rankOf(b);
  });
}

void dropMinor(Report &report) {
  llvm::erase_if(report.findings, [&](const Finding &finding) {
    const bool isDropped =
        finding.minor && finding.verdict() != Verdict::Refuted;
    report.minor += isDropped;
    return isDropped;
  });
}

} // namespace warplint
