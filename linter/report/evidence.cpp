#include "report/evidence.h"
#include "base/listed.h"
#include "base/readable_name.h"
#include "findings/check.h"
#include "findings/useless_allow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace warplint {

static constexpr unsigned namesShown = 3;

/// The template whose instances all names are; else empty.
static StringRef templateOf(ArrayRef<std::string> names) {
  const auto [base, arguments] = StringRef(names.front()).split('<');
  const bool isOne = all_of(names, [base = base](StringRef name) {
    return name.consume_front(base) && name.starts_with("<");
  });
  return isOne ? base : "";
}

std::string quoted(ArrayRef<std::string> names) {
  if (names.size() > namesShown)
    if (const StringRef base = templateOf(names); !base.empty())
      return formatv("{0} instances of '{1}'", names.size(), base);
  constexpr size_t most = 160; // characters of a name
  // What tells instances apart may be what is left out.
  SmallVector<std::pair<std::string, size_t>> instances;
  StringMap<size_t> places; // in `instances`
  for (const std::string &name : names) {
    const std::string part =
        "'" + abbreviatedName(shortKernelName(name), most) + "'";
    const auto [place, isNew] = places.try_emplace(part, instances.size());
    if (isNew)
      instances.push_back({part, 0});
    ++instances[place->second].second;
  }
  std::vector<std::string> parts;
  size_t left = names.size();
  for (const auto &[name, count] : instances) {
    if (parts.size() == namesShown)
      break;
    parts.push_back(
        count > 1 ? formatv("{0} instances of {1}", count, name).str() : name);
    left -= count;
  }
  return listed(parts, left);
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

/// One line of evidence: the same observation for these kernels on these
/// architectures.
struct Evidence {
  Judgement judgement;
  std::vector<std::string> kernels, architectures;
};

bool sameJudgement(const Judgement &left, const Judgement &right) {
  return left.verdict == right.verdict && left.evidence == right.evidence &&
         left.condition == right.condition;
}

/// Merges kernels of one architecture that have the same judgement.
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

/// Then merges architectures that have the same judgements of the same kernels.
/// The evidence that decides the verdict comes first.
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
    const Judgement &judgement = evidence.judgement;
    return std::tuple(judgement.verdict == Verdict::Confirmed  ? 0
                      : judgement.verdict == Verdict::Unjudged ? 1
                                                               : 2,
                      StringRef(judgement.condition));
  };
  stable_sort(result, [&](const Evidence &left, const Evidence &right) {
    return rank(left) < rank(right);
  });
  return result;
}

/// "confirmed", "confirmed if 'ld' is above 8".
std::string verdictText(const Judgement &judgement) {
  std::string text = spelling(judgement.verdict);
  return judgement.condition.empty() ? text
                                     : text + " if " + judgement.condition;
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
    parts.push_back(verdictText(judgement));
  return join(parts, ": ");
}

/// True if every judgement of the kernel (any kernel if empty) on the
/// architecture (any if empty) is `verdict`.
bool areAll(Verdict verdict, const Finding &finding, StringRef kernel,
            StringRef architecture) {
  return all_of(finding.kernels, [&](const FindingKernel &each) {
    return (!kernel.empty() && each.name != kernel) ||
           (!architecture.empty() && each.architecture != architecture) ||
           each.judgement.verdict == verdict;
  });
}

/// Kernels for which the finding is confirmed on the same architectures.
struct Extent {
  std::vector<std::string> kernels, architectures;
};

std::vector<Extent> extentsOf(const Finding &finding) {
  std::vector<Extent> extents;
  for (const std::string &name : kernelNames(finding)) {
    Extent one = {{name}, {}};
    for (const FindingKernel &kernel : finding.kernels)
      if (kernel.name == name && kernel.judgement.verdict == Verdict::Confirmed)
        addUnlessThere(one.architectures, kernel.architecture);
    if (one.architectures.empty())
      continue;
    auto same = find_if(extents, [&](const Extent &other) {
      return other.architectures == one.architectures;
    });
    if (same == extents.end())
      extents.push_back(std::move(one));
    else
      same->kernels.push_back(name);
  }
  return extents;
}

/// The kernels and architectures that confirm a finding which others do not;
/// else empty. Unjudged ones have a line of their own.
std::string whereItHolds(const Finding &finding) {
  auto is = [&](Verdict verdict) {
    return any_of(finding.kernels, [&](const FindingKernel &kernel) {
      return kernel.judgement.verdict == verdict;
    });
  };
  if (!is(Verdict::Confirmed) || !is(Verdict::Refuted))
    return "";
  std::vector<std::string> names = kernelNames(finding), architectures;
  for (const FindingKernel &kernel : finding.kernels)
    addUnlessThere(architectures, kernel.architecture);
  std::vector<Extent> extents = extentsOf(finding);
  SmallVector<std::string> parts;
  for (const Extent &extent : extents) {
    std::string where;
    if (architectures.size() > 1)
      where += " for " + listed(extent.architectures);
    if (names.size() > 1)
      where += " in " + quoted(extent.kernels);
    parts.push_back(StringRef(where).drop_front().str());
  }
  // Each group has its own line; nothing is left to say.
  if (extents.size() == 1) {
    std::vector<std::string> others;
    for (const std::string &each : architectures)
      if (areAll(Verdict::Refuted, finding, "", each))
        others.push_back(each);
    if (!others.empty())
      parts.push_back("not for " + listed(others));
  }
  std::vector<std::string> others;
  for (const std::string &name : names)
    if (areAll(Verdict::Refuted, finding, name, ""))
      others.push_back(name);
  // Names them only while they are few.
  if (others.size() > namesShown)
    parts.push_back(formatv("not in {0} others", others.size()));
  else if (!others.empty())
    parts.push_back("not in " + quoted(others));
  return "confirmed " + join(parts, ", ");
}

/// The number of lines of evidence with one verdict that are shown in full.
constexpr unsigned evidenceShown = 2;

/// "likewise in 'k<16>' and 'k<32>' on sm_80 and sm_90: confirmed".
std::string likewise(ArrayRef<Evidence> rest, bool named) {
  std::vector<std::string> kernels, architectures;
  for (const Evidence &evidence : rest) {
    for (const std::string &name : evidence.kernels)
      addUnlessThere(kernels, name);
    for (const std::string &name : evidence.architectures)
      addUnlessThere(architectures, name);
  }
  std::string text = "likewise";
  if (named)
    text += " in " + quoted(kernels);
  if (!architectures.front().empty())
    text += " on " + listed(architectures);
  return text + ": " + verdictText(rest.front().judgement);
}

} // namespace

std::vector<std::string> evidenceLines(const Finding &finding) {
  if (isAboutComment(finding))
    return {};
  const size_t kernels = kernelNames(finding).size();
  auto isNamed = [&](size_t some) {
    // The line with the share names all kernels.
    return kernels > 1 && !(finding.share && some == kernels);
  };
  std::vector<std::string> lines;
  if (std::string where = whereItHolds(finding); !where.empty())
    lines.push_back(std::move(where));
  std::vector<Evidence> all = evidenceOf(finding);
  for (ArrayRef<Evidence> rest = all; !rest.empty();) {
    const Judgement &first = rest.front().judgement;
    const Verdict verdict = first.verdict;
    ArrayRef<Evidence> same = rest.take_while([&](const Evidence &evidence) {
      return evidence.judgement.verdict == verdict &&
             evidence.judgement.condition == first.condition;
    });
    rest = rest.drop_front(same.size());
    // One more line in full is as short as its summary.
    const size_t shown =
        same.size() <= evidenceShown + 1 ? same.size() : evidenceShown;
    for (const Evidence &evidence : same.take_front(shown))
      // Refuted evidence has nothing more to show.
      if (verdict != Verdict::Refuted || !evidence.judgement.evidence.empty())
        lines.push_back(
            evidenceText(evidence, isNamed(evidence.kernels.size())));
    if (shown < same.size())
      lines.push_back(likewise(same.drop_front(shown), kernels > 1));
  }
  return lines;
}

std::vector<std::pair<Place, std::string>>
relatedPlaces(const Finding &finding) {
  std::vector<std::pair<Place, std::string>> related;
  for (const FindingKernel &kernel : finding.kernels)
    if (!kernel.place.file.empty() && none_of(related, [&](const auto &each) {
          return each.first == kernel.place;
        }))
      related.push_back({kernel.place, "in kernel '" + kernel.name + "'"});
  for (const Place &call : finding.callSites)
    related.push_back({call, "called from here"});
  return related;
}

/// "edit (assumes, unproven): line 12; if no other pointer ...".
static std::string editLine(const Fix &fix) {
  const Edit &first = fix.edits.front();
  std::string text = std::string("edit (") + spelling(fix.kind) + ", " +
                     spelling(fix.proof) + "): line " +
                     std::to_string(first.begin.line);
  if (!fix.assumes.empty())
    text += "; if " + fix.assumes;
  if (!fix.why.empty())
    text += "; " + fix.why;
  return text;
}

std::vector<std::string> helpLines(const Finding &finding) {
  std::vector<std::string> lines;
  if (!finding.fix.empty())
    lines.push_back("fix: " + finding.fix);
  else if (findCheck(finding.check))
    lines.push_back("see: warplint explain " + finding.check);
  if (finding.edit && !finding.edit->edits.empty())
    lines.push_back(editLine(*finding.edit));
  return lines;
}

std::string allWords(const Finding &finding) {
  std::string words = finding.message;
  for (const std::string &line : detailLines(finding))
    words += "\n" + line;
  for (const std::string &line : helpLines(finding))
    words += "\n" + line;
  return words;
}

/// "the same of 'particles' at lines 12, 14 and 3 more"; empty where the
/// finding stands for no other line.
static std::string alsoAt(const Finding &finding) {
  constexpr size_t shown = 5;
  std::vector<std::string> lines;
  for (const Place &place : finding.places)
    if (place.file != finding.place.file)
      addUnlessThere(lines, sys::path::filename(place.file).str() + ":" +
                                std::to_string(place.line));
    else if (place.line != finding.place.line)
      addUnlessThere(lines, std::to_string(place.line));
  if (lines.empty())
    return "";
  const size_t more = lines.size() - std::min(lines.size(), shown);
  lines.resize(std::min(lines.size(), shown));
  std::string text =
      "the same" +
      // A cause may have several objects.
      (finding.object.empty() || !finding.cause.empty()
           ? ""
           : " of '" + finding.object + "'") +
      " at line" + (lines.size() == 1 ? " " : "s ") + join(lines, ", ");
  if (more)
    text += formatv(" and {0} more", more);
  return text;
}

/// The kernels that the share is of: those that are not refuted, if any.
static std::vector<std::string> kernelsOfShare(const Finding &finding) {
  std::vector<std::string> names;
  for (const FindingKernel &kernel : finding.kernels)
    if (kernel.judgement.verdict != Verdict::Refuted)
      addUnlessThere(names, kernel.name);
  return names.empty() ? kernelNames(finding) : names;
}

bool isSaidOnce(StringRef reason) {
  constexpr size_t longest = 40; // characters
  return reason.size() > longest;
}

std::vector<std::string> detailLines(const Finding &finding) {
  std::vector<std::string> lines = evidenceLines(finding);
  if (const std::vector<std::string> names = kernelsOfShare(finding);
      !names.empty() && finding.share)
    lines.push_back(formatv("in {0}: about {1} % of {2} time, {3}",
                            quoted(names), std::lround(*finding.share * 100),
                            names.size() == 1 ? "its" : "their", finding.cost));
  if (std::string also = alsoAt(finding); !also.empty())
    lines.push_back(std::move(also));
  append_range(lines, finding.notes);
  return lines;
}

} // namespace warplint
