#include "report/rank.h"
#include "base/listed.h"
#include "findings/joint_share.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <tuple>

namespace warplint {

namespace {

/// The name without template arguments, and without what tells instances apart.
llvm::StringRef templateOf(llvm::StringRef name) {
  return name.take_until([](char c) { return c == '<' || c == '['; }).rtrim();
}

/// The object, or the structure of it whose fields have one remedy.
std::string objectOf(const Finding &finding) {
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
  for (const Place &place : part.places)
    if (place != into.place && !llvm::is_contained(into.places, place))
      into.places.push_back(place);
  if (part.place != into.place)
    into.places.push_back(part.place);
  into.minor &= part.minor;
  if (into.fix.empty())
    into.fix = part.fix;
}

/// What findings of one cause save together, by the instance of a template:
/// each has a time of its own, and so has each launch, of which the dearest
/// counts.
std::map<std::string, JointShare> jointShares(llvm::ArrayRef<Finding *> group) {
  std::map<std::pair<std::string, llvm::StringRef>, JointShare> ofLaunches;
  for (const Finding *finding : group) {
    // Once for all architectures.
    std::map<llvm::StringRef, std::pair<double, const FindingKernel *>>
        instances;
    for (const FindingKernel &kernel : finding->kernels) {
      if (kernel.judgement.verdict == Verdict::Refuted &&
          finding->verdict() != Verdict::Refuted)
        continue;
      const double share = kernel.share.value_or(finding->share.value_or(0));
      auto [known, isNew] = instances.try_emplace(kernel.name, share, &kernel);
      if (!isNew && share > known->second.first)
        known->second = {share, &kernel};
    }
    for (const auto &[instance, dearest] : instances)
      ofLaunches[{instance.str(), finding->launch}].add(dearest.first,
                                                        dearest.second->saving);
  }
  std::map<std::string, JointShare> ofInstances;
  for (const auto &[of, joint] : ofLaunches) {
    JointShare &most = ofInstances[of.first];
    if (joint.share() >= most.share())
      most = joint;
  }
  return ofInstances;
}

/// Gives the finding what its group saves in each kernel; the worst decides.
void setShares(Finding &finding,
               const std::map<std::string, JointShare> &shares) {
  for (FindingKernel &kernel : finding.kernels)
    if (auto known = shares.find(kernel.name); known != shares.end()) {
      kernel.share = known->second.share();
      kernel.saving = known->second.saving();
    }
  finding.share = 0;
  for (const auto &[instance, joint] : shares)
    finding.share = std::max(*finding.share, joint.share());
}

Finding &dearestOf(llvm::ArrayRef<Finding *> group) {
  return **llvm::max_element(group, [](auto *a, auto *b) {
    return a->share.value_or(0) < b->share.value_or(0);
  });
}

Place firstPlace(const Finding &finding) {
  Place first = finding.place;
  for (const Place &place : finding.places)
    first = std::min(first, place);
  return first;
}

/// Names the other objects that the change of the dearest finding is good for.
void nameOthers(Finding &dearest, llvm::ArrayRef<Finding *> group) {
  constexpr size_t shown = 3;
  std::vector<std::string> others;
  for (const Finding *finding : group) {
    std::string name = "'" + finding->object + "'";
    if (!finding->object.empty() && finding->object != dearest.object &&
        !llvm::is_contained(others, name))
      others.push_back(std::move(name));
  }
  if (dearest.object.empty() || others.empty())
    return;
  const size_t more = others.size() - std::min(others.size(), shown);
  others.resize(others.size() - more);
  std::string note =
      "the same change ends it for " + listed(others, more) + " as well";
  // A report that is read again has the note.
  if (!llvm::is_contained(dearest.notes, note))
    dearest.notes.push_back(std::move(note));
}

void addKernels(Finding &into, const Finding &from) {
  for (const FindingKernel &kernel : from.kernels)
    if (llvm::none_of(into.kernels, [&](const FindingKernel &known) {
          return known.name == kernel.name &&
                 known.architecture == kernel.architecture;
        }))
      into.kernels.push_back(kernel);
}

/// Joins findings in one function that several kernels call, or one several
/// times: a change of its line ends them all.
void joinCallers(std::vector<Finding> &findings) {
  using Shared = std::tuple<std::string, Place, std::string, Verdict>;
  std::map<Shared, std::vector<Finding *>> shared;
  for (Finding &finding : findings) {
    if (finding.isPart || finding.callSites.empty() || finding.kernels.empty())
      continue;
    const std::string cause =
        finding.cause.empty() ? objectOf(finding) : finding.cause;
    shared[{finding.check, firstPlace(finding),
            cause.empty() ? finding.about : cause, finding.verdict()}]
        .push_back(&finding);
  }
  for (auto &[place, group] : shared) {
    if (group.size() == 1)
      continue;
    Finding &dearest = dearestOf(group);
    const std::map<std::string, JointShare> shares = jointShares(group);
    for (Finding *finding : group)
      if (finding != &dearest) {
        addKernels(dearest, *finding);
        join(dearest, *finding);
      }
    if (dearest.share)
      setShares(dearest, shares);
  }
}

/// Joins findings of one check in one kernel for which `key` returns the same.
void joinBy(std::vector<Finding> &findings,
            llvm::function_ref<std::string(const Finding &)> key) {
  using Group = std::tuple<std::string, std::string, std::string, Place,
                           std::string, Verdict>;
  std::map<Group, std::vector<Finding *>> groups;
  for (Finding &finding : findings)
    if (const std::string own = key(finding);
        !own.empty() && !finding.kernels.empty() && !finding.isPart)
      groups[{finding.check, finding.place.file,
              templateOf(finding.kernels.front().name).str(),
              finding.kernels.front().place, own, finding.verdict()}]
          .push_back(&finding);
  for (auto &[of, group] : groups) {
    Finding &dearest = dearestOf(group);
    if (dearest.share)
      setShares(dearest, jointShares(group));
    for (Finding *finding : group)
      if (finding != &dearest)
        join(dearest, *finding);
    nameOthers(dearest, group);
  }
}

/// Joins findings of other checks that one covers, where it has their cause and
/// each of their kernels.
void joinCovered(std::vector<Finding> &findings) {
  auto hasAllOf = [](const Finding &finding, const Finding &other) {
    return llvm::all_of(other.kernels, [&](const FindingKernel &one) {
      return llvm::any_of(finding.kernels, [&](const FindingKernel &known) {
        return known.mangled == one.mangled &&
               known.architecture == one.architecture;
      });
    });
  };
  for (Finding &finding : findings)
    for (const Finding::Covered &covered : finding.covers)
      for (Finding &other : findings)
        if (!finding.cause.empty() && other.cause == finding.cause &&
            other.check == covered.check && other.place == covered.place &&
            other.verdict() == finding.verdict() && hasAllOf(finding, other))
          join(finding, other);
}

} // namespace

void joinCauses(std::vector<Finding> &findings) {
  joinBy(findings, objectOf);
  // One change of the kernel may mend several objects.
  joinBy(findings, [](const Finding &finding) { return finding.cause; });
  joinCallers(findings);
  joinCovered(findings);
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
