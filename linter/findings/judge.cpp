#include "findings/judge.h"
#include "base/kernel_name.h"
#include "findings/condition.h"
#include "findings/gone_divisions.h"
#include "findings/moved_accesses.h"
#include "os/deadline.h"
#include "ptx/ptx_kernels.h"
#include <map>
#include <set>

namespace warplint {

namespace {

/// The key in `kernels` of the kernel that the compiler calls `mangled`, if it
/// has one.
std::string keyOf(llvm::StringRef mangled,
                  const std::map<std::string, const CostedKernel *> &kernels) {
  std::string key = normalisedKernelName(mangled);
  std::string function = functionOfKey(key).str();
  return !kernels.count(key) && kernels.count(function) ? function : key;
}

/// The compiled kernels of one architecture.
class JudgedUnit {
public:
  /// `kernels`: all of the source, by their normalised names; `found`: those
  /// that a finding is in.
  JudgedUnit(const CompiledUnit &unit,
             const std::map<std::string, const CostedKernel *> &kernels,
             const std::set<std::string> &found)
      : unit(unit) {
    for (const CompiledKernel &kernel : unit.kernels)
      compiled_[keyOf(kernel.usage.kernel, kernels)] = &kernel;
    readPtx(kernels, found);
  }

  const CompiledKernel *compiled(const std::string &name) const {
    auto it = compiled_.find(name);
    return it == compiled_.end() ? nullptr : it->second;
  }
  const CostedKernel *ptx(const std::string &name) const {
    auto it = costed_.find(name);
    return it == costed_.end() ? nullptr : &it->second;
  }

  const CompiledUnit &unit;

private:
  /// Reads the PTX of the kernels that need it only.
  void readPtx(const std::map<std::string, const CostedKernel *> &kernels,
               const std::set<std::string> &found) {
    std::map<std::string, const CostedKernel *> wanted;
    for (const auto &[name, kernel] : kernels) {
      const CompiledKernel *machine = compiled(name);
      if (found.count(name) || (machine && machine->usage.stackFrame))
        wanted.emplace(name, kernel);
    }
    if (unit.ptx.empty() || wanted.empty())
      return;
    PtxRequest request;
    request.file = unit.ptxFile;
    auto isWanted = [&](llvm::StringRef mangled) {
      return wanted.count(keyOf(mangled, wanted)) != 0;
    };
    request.wanted = isWanted;
    auto read = readPtxKernels(unit.ptx, request);
    if (!read) {
      llvm::consumeError(read.takeError());
      return;
    }
    kernels_ = std::move(*read);
    for (Kernel &kernel : kernels_) {
      std::string name = keyOf(kernel.mangled, wanted);
      kernel.shapes = wanted.at(name)->kernel.shapes;
      const CostedKernel &source = *wanted.at(name);
      costed_.emplace(name, costed(kernel, source.tuning, source.capability));
    }
  }

  std::map<std::string, const CompiledKernel *> compiled_;
  std::vector<Kernel> kernels_;
  std::map<std::string, CostedKernel> costed_;
};

Judgement unjudged(std::string reason) {
  return {Verdict::Unjudged, std::move(reason)};
}

Judgement judged(const Finding &finding, const FindingKernel &kernel,
                 const Check *check, const JudgedUnit &unit,
                 const std::string &name, const CostedKernel &source) {
  const CompiledKernel *machine = unit.compiled(name);
  if (isOverdue())
    return unjudged("judging took too long");
  if (!unit.unit.whyNot.empty())
    return unjudged(unit.unit.whyNot);
  if (!check || !check->judge)
    return unjudged("nothing in the compiled code tells");
  if (!machine)
    return unjudged("the compiler did not emit the kernel");
  return check->judge(finding, kernel.subject,
                      {source, *machine, unit.ptx(name)});
}

/// The requested architecture, or nvcc's default.
std::string architectureOf(const JudgedUnit &unit, const std::string &name) {
  const CompiledKernel *machine = unit.compiled(name);
  return unit.unit.architecture.empty() && machine ? machine->usage.architecture
                                                   : unit.unit.architecture;
}

/// Adds the findings in the compiled code of one kernel.
void inspectCompiled(const CostedKernel &source, const JudgedUnit &unit,
                     const std::vector<const Check *> &enabled,
                     std::vector<Finding> &findings) {
  const std::string name = normalisedKernelName(source.kernel.mangled);
  const CompiledKernel *machine = unit.compiled(name);
  if (!machine)
    return;
  for (const Check *check : enabled) {
    if (!check->inspectCompiled)
      continue;
    const size_t before = findings.size();
    Findings added(check->info, source.kernel, findings);
    check->inspectCompiled({source, *machine, unit.ptx(name)}, added);
    for (size_t i = before; i < findings.size(); ++i) {
      FindingKernel &kernel = findings[i].kernels.front();
      kernel.architecture = architectureOf(unit, name);
      kernel.judgement.verdict = Verdict::Confirmed;
    }
  }
}

/// Adds to the first of `same`, which will be merged, the compiled instances
/// and architectures of its kernel that do not show the finding.
void addAbsent(llvm::MutableArrayRef<Finding> same,
               const std::vector<CostedKernel> &kernels,
               const std::vector<JudgedUnit> &units) {
  std::set<std::pair<std::string, std::string>> there;
  std::set<std::string> names;
  for (const Finding &finding : same) {
    const FindingKernel &kernel = finding.kernels.front();
    there.insert({kernel.mangled, kernel.architecture});
    names.insert(kernel.mangled);
  }
  std::set<Place> places;
  for (const CostedKernel &costed : kernels)
    if (names.count(costed.kernel.mangled))
      places.insert(costed.kernel.place);
  for (const CostedKernel &costed : kernels) {
    const Kernel &kernel = costed.kernel;
    if (!places.count(kernel.place))
      continue;
    const std::string name = normalisedKernelName(kernel.mangled);
    for (const JudgedUnit &unit : units) {
      FindingKernel other{
          kernel.name, kernel.mangled, architectureOf(unit, name), {}};
      if (!unit.unit.whyNot.empty())
        other.judgement = unjudged(unit.unit.whyNot);
      else if (unit.compiled(name) &&
               !there.count({other.mangled, other.architecture}))
        other.judgement.verdict = Verdict::Refuted;
      else
        continue;
      same.front().kernels.push_back(std::move(other));
    }
  }
}

/// Refutes a finding of one instance on one architecture in the instances and
/// architectures that do not show it. `shown`: the findings of
/// `inspectCompiled`.
void noteAbsence(llvm::MutableArrayRef<Finding> shown,
                 const std::vector<CostedKernel> &kernels,
                 const std::vector<JudgedUnit> &units) {
  // Groups the findings that will be merged.
  llvm::stable_sort(shown, [](const Finding &left, const Finding &right) {
    return left.identity() < right.identity();
  });
  while (!shown.empty()) {
    const size_t same = std::distance(
        shown.begin(), llvm::find_if(shown, [&](const Finding &other) {
          return other.identity() != shown.front().identity();
        }));
    addAbsent(shown.take_front(same), kernels, units);
    shown = shown.drop_front(same);
  }
}

/// What all units that have a kernel's PTX execute less often.
CompiledAway awayIn(const CostedKernel &source,
                    const std::vector<JudgedUnit> &units) {
  const std::string name = normalisedKernelName(source.kernel.mangled);
  std::optional<CompiledAway> away;
  auto keepThose = [](std::vector<unsigned> &all,
                      const std::vector<unsigned> &here) {
    llvm::erase_if(all,
                   [&](unsigned i) { return !llvm::is_contained(here, i); });
  };
  for (const JudgedUnit &unit : units) {
    const CompiledKernel *machine = unit.compiled(name);
    if (!machine || !unit.ptx(name) || isOverdue())
      continue;
    const CompiledView view{source, *machine, unit.ptx(name)};
    CompiledAway here{movedAccesses(view), goneDivisions(view)};
    if (away) {
      keepThose(away->accesses, here.accesses);
      keepThose(away->divisions, here.divisions);
    } else {
      away = std::move(here);
    }
  }
  return away.value_or(CompiledAway());
}

} // namespace

CompiledAwayByKernel judge(std::vector<Finding> &findings,
                           const std::vector<CostedKernel> &kernels,
                           const Compiled &compiled,
                           const std::vector<const Check *> &enabled) {
  std::map<std::string, const CostedKernel *> byName;
  for (const CostedKernel &costed : kernels)
    byName[normalisedKernelName(costed.kernel.mangled)] = &costed;
  std::set<std::string> found;
  for (const Finding &finding : findings)
    for (const FindingKernel &kernel : finding.kernels)
      found.insert(normalisedKernelName(kernel.mangled));
  std::vector<JudgedUnit> units;
  units.reserve(compiled.units.size());
  for (const CompiledUnit &unit : compiled.units)
    units.emplace_back(unit, byName, found);

  std::map<std::string, Conditions> conditions; // by kernel
  for (Finding &finding : findings) {
    const Check *check = findCheck(finding.check);
    std::vector<FindingKernel> results;
    for (const FindingKernel &kernel : finding.kernels) {
      const std::string name = normalisedKernelName(kernel.mangled);
      for (const JudgedUnit &unit : units) {
        FindingKernel &result = results.emplace_back(kernel);
        result.architecture = architectureOf(unit, name);
        result.judgement =
            judged(finding, kernel, check, unit, name, *byName.at(name));
        if (result.judgement.verdict == Verdict::Confirmed &&
            result.judgement.condition.empty())
          result.judgement.condition =
              conditions.try_emplace(name, *byName.at(name))
                  .first->second.of(finding, kernel.subject, *check);
      }
      if (units.empty())
        results.emplace_back(kernel).judgement = unjudged(compiled.whyNot);
    }
    finding.kernels = std::move(results);
  }
  const size_t inSource = findings.size();
  for (const JudgedUnit &unit : units)
    for (const CostedKernel &kernel : kernels)
      inspectCompiled(kernel, unit, enabled, findings);
  noteAbsence(llvm::MutableArrayRef(findings).drop_front(inSource), kernels,
              units);
  CompiledAwayByKernel away;
  for (const CostedKernel &costed : kernels)
    if (CompiledAway here = awayIn(costed, units);
        !here.accesses.empty() || !here.divisions.empty())
      away[costed.kernel.mangled] = std::move(here);
  return away;
}

} // namespace warplint
