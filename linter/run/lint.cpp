#include "run/lint.h"
#include "cost/array_layout.h"
#include "cost/reached.h"
#include "cost/template_blocks.h"
#include "findings/check.h"
#include "findings/gone_divisions.h"
#include "findings/joint_share.h"
#include "findings/judge.h"
#include "os/deadline.h"
#include "os/signals.h"
#include "os/workers.h"
#include "report/progress.h"
#include "run/add_edits.h"
#include "run/compile_sources.h"
#include "run/only_compiled.h"
#include "run/read_sources.h"
#include "run/run_cache.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace warplint {

namespace {

/// The kernel of a finding that is not merged with others yet.
const std::string &kernelOf(const Finding &finding) {
  return finding.kernels.front().mangled;
}

/// Drops what other findings stand for: those that a finding names, unless the
/// report joins them since they have its cause (report/rank.h), and then
/// findings of a general check where a particular one that replaces it has a
/// finding. One that the compiled code refutes stands for nothing. An opinion
/// that stands for a warning is one itself, so that more checks say no less.
void dropGeneral(std::vector<Finding> &findings,
                 const std::vector<const Check *> &enabled) {
  std::map<std::tuple<std::string, std::string, Place>,
           std::pair<Level *, std::string>>
      covered;
  for (Finding &finding : findings)
    if (finding.verdict() != Verdict::Refuted)
      for (const Finding::Covered &other : finding.covers)
        covered[{kernelOf(finding), other.check, other.place}] = {
            &finding.level, finding.cause};
  const auto levelOfCovering = [&](const Finding &finding) -> Level * {
    const auto found =
        covered.find({kernelOf(finding), finding.check, finding.place});
    if (found == covered.end())
      return nullptr;
    const auto &[level, cause] = found->second;
    return cause.empty() || cause != finding.cause ? level : nullptr;
  };
  // The accesses of one array would be one finding, with their shares together.
  std::map<std::pair<Level *, std::string>, double> shares;
  for (const Finding &finding : findings)
    if (Level *level = levelOfCovering(finding);
        level && finding.verdict() != Verdict::Refuted) {
      double &share = shares[{level, finding.check}];
      share += finding.share.value_or(1);
      if (share >= finding.leastShare)
        *level = std::min(*level, finding.level);
    }
  llvm::erase_if(findings, levelOfCovering);
  for (const Check *particular : enabled) {
    if (!particular->insteadOf)
      continue;
    std::set<std::tuple<std::string, Place, std::vector<Place>, std::string>>
        said;
    for (const Finding &finding : findings)
      if (finding.check == particular->info.id &&
          finding.verdict() != Verdict::Refuted)
        said.insert({kernelOf(finding), finding.place, finding.callSites,
                     finding.about});
    llvm::erase_if(findings, [&](const Finding &finding) {
      return finding.check == particular->insteadOf &&
             said.count({kernelOf(finding), finding.place, finding.callSites,
                         finding.about});
    });
  }
}

std::vector<Finding> inspect(const CostedKernel &kernel,
                             const std::vector<const Check *> &enabled,
                             const Settings &settings) {
  std::vector<Finding> found;
  for (const Check *check : enabled) {
    if (!check->inspect || isOverdue())
      continue;
    Findings findings(check->info, kernel.kernel, found);
    check->inspect(kernel, findings);
  }
  llvm::erase_if(
      found, [&](const Finding &finding) { return !settings.wants(finding); });
  return found;
}

/// Gives the findings of a kernel the shares that they have by other costs.
void shareAgain(std::vector<Finding> &findings, const CostedKernel &kernel,
                const std::vector<const Check *> &enabled,
                const Settings &settings) {
  const std::vector<Finding> shares = inspect(kernel, enabled, settings);
  for (Finding &finding : findings) {
    if (!finding.share || kernelOf(finding) != kernel.kernel.mangled)
      continue;
    auto same = llvm::find_if(shares, [&](const Finding &other) {
      return other.identity() == finding.identity() &&
             other.kernels.front().subject == finding.kernels.front().subject;
    });
    if (same == shares.end())
      continue;
    finding.share = same->share;
    finding.kernels.front().saving = same->kernels.front().saving;
    finding.cost = same->cost;
    finding.launch = same->launch;
  }
}

/// Drops findings in headers of the toolkit, such as in a kernel of Thrust that
/// calls no user code: the user cannot change them.
void dropToolkitFindings(std::vector<Finding> &findings, const Work &work) {
  if (!work.toolkit)
    return;
  llvm::SmallString<256> root(work.toolkit->root);
  llvm::sys::path::append(root, "");
  llvm::erase_if(findings, [&](const Finding &finding) {
    return llvm::StringRef(finding.place.file).starts_with(root);
  });
}

/// The parts of the compiled code that the checks need, to judge these findings
/// and to inspect the code itself.
Asks askedOf(const std::vector<Finding> &findings,
             const std::vector<const Check *> &enabled) {
  Asks asked = Asks::Report;
  for (const Finding &finding : findings)
    if (const Check *check = findCheck(finding.check); check && check->judge)
      asked = std::max(asked, check->judgeAsks);
  for (const Check *check : enabled)
    if (check->inspectCompiled)
      asked = std::max(asked, check->inspectAsks);
  return asked;
}

bool isWhole(const Compiled &compiled) {
  return compiled.whyNot.empty() &&
         llvm::all_of(compiled.units, [](const CompiledUnit &unit) {
           return unit.whyNot.empty();
         });
}

/// The files of a source whose findings its settings report.
std::set<std::string> reportedIn(const Work &work,
                                 const std::vector<Finding> &findings) {
  std::set<std::string> files = {work.command.source};
  for (const KernelOutline &kernel : work.model.outline.kernels)
    for (const auto &[file, lines] : kernel.lines)
      files.insert(file);
  for (const Finding &finding : findings)
    files.insert(finding.place.file);
  std::erase_if(files, [&](const std::string &file) {
    return !work.settings->reportsIn(file, work.command.source);
  });
  return files;
}

constexpr const char *endedInACrash = "ended in a crash";

/// The result of linting one source.
struct Result {
  Linted linted;
  std::string notLinted; ///< why, as SourceOutcome's
};

/// The findings of a source that the cache may hold.
struct CachedFindings {
  std::string key; ///< empty if they cannot be stored
  std::optional<Linted> linted;
};

std::vector<CostedKernel> cost(const Work &work) {
  const Tuning tuning = work.settings->tuning();
  const unsigned capability = capabilityOf(work);
  std::vector<CostedKernel> kernels;
  for (const Kernel &kernel : work.model.kernels)
    kernels.push_back(costed(kernel, tuning, capability));
  settleLayouts(kernels);
  settleTemplateBlocks(kernels);
  return kernels;
}

/// Kernels whose costs are those of their compiled code.
struct CostedAsCompiled {
  std::deque<Kernel> changed;
  std::vector<CostedKernel>
      kernels; ///< refers to `changed` and to the source's
};

/// Costs each kernel without what the compiler moved out of its loops or
/// replaced.
CostedAsCompiled costAsCompiled(std::vector<CostedKernel> kernels,
                                const CompiledAwayByKernel &away) {
  CostedAsCompiled result;
  for (CostedKernel &source : kernels) {
    auto of = away.find(source.kernel.mangled);
    if (of == away.end()) {
      result.kernels.push_back(std::move(source));
      continue;
    }
    Kernel &kernel = result.changed.emplace_back(source.kernel);
    for (unsigned i : of->second.accesses)
      kernel.accesses[i].need = Need::Once;
    for (unsigned i : of->second.divisions)
      replaceDivision(kernel, i);
    result.kernels.push_back(costed(kernel, source.tuning, source.capability));
    result.kernels.back().betterInOtherLayout = source.betterInOtherLayout;
    result.kernels.back().largestOfTemplate = source.largestOfTemplate;
  }
  return result;
}

/// The kernels that are not followed whole, since an evaluation has its limits.
std::vector<std::string> tooLongIn(const std::vector<CostedKernel> &kernels) {
  std::vector<std::string> names;
  auto isLeftOut = [](const Cost &cost) { return cost.cause == tooLong; };
  for (const CostedKernel &costed : kernels)
    if (llvm::any_of(costed.shapes, [&](const ShapeCosts &shape) {
          return llvm::any_of(shape.costs, isLeftOut);
        }))
      names.push_back(costed.kernel.mangled);
  return names;
}

/// Returns true if Clang read no kernel of a source that may hold some.
bool mayHideKernels(const Work &work) {
  return work.model.kernels.empty() && work.model.outline.mentionsKernels &&
         work.model.outline.libraryKernels.empty() &&
         work.model.outline.notRead.empty() && !work.translation.forHost &&
         work.toolkit && !work.toolkit->nvcc.empty();
}

/// Returns true if there is something to judge, to inspect in compiled code, or
/// to show.
bool needsCompiledCode(const Work &work, const Linted &linted,
                       const CompileOptions &options, SeeSource see) {
  return !linted.findings.empty() ||
         (!work.model.kernels.empty() &&
          (work.settings->asksCompiledCode() || see)) ||
         (options.judge && mayHideKernels(work));
}

CompileOutcome outcomeOf(const Compiled &compiled,
                         const CompileOptions &options) {
  return {options.judge ? compiled.whyNot : "", isWhole(compiled),
          compiled.endedByChance};
}

/// Makes findings minor that are in such kernels alone, and says why: `before`
/// and `behind` a kernel's name.
void makeMinorIn(const std::set<llvm::StringRef> &kernels,
                 std::vector<Finding> &findings, llvm::StringRef before,
                 llvm::StringRef behind) {
  for (Finding &finding : findings) {
    if (finding.kernels.empty() ||
        !llvm::all_of(finding.kernels, [&](const FindingKernel &kernel) {
          return kernels.count(kernel.mangled) != 0;
        }))
      continue;
    finding.minor = true;
    finding.notes.push_back(
        (before + "'" + finding.kernels.front().name + "'" + behind).str());
  }
}

/// Code that never runs costs nothing: kernels that nothing launches, although
/// the source launches others. What only prints is not there to be fast.
void markOfNoUse(std::vector<Finding> &findings, const Work &work) {
  std::set<llvm::StringRef> unlaunched, printing;
  for (const Kernel &kernel : work.model.kernels) {
    if (onlyPrints(kernel))
      printing.insert(kernel.mangled);
    if (!kernel.isDispatched && !work.model.outline.launches.empty() &&
        llvm::is_contained(work.model.outline.unreferenced, kernel.mangled) &&
        llvm::all_of(kernel.shapes, [](const KernelShape &shape) {
          return shape.source == ShapeSource::Assumed ||
                 shape.source == ShapeSource::LaunchBounds;
        }))
      unlaunched.insert(kernel.mangled);
  }
  makeMinorIn(unlaunched, findings, "nothing in this source launches ", "");
  makeMinorIn(printing, findings, "", " writes no memory: it only prints");
}

/// Gives findings that will be one, such as the load and the store of `a[i] +=
/// x`, or a body that a library has twice in its kernel, what they save
/// together. The same of another source, with the same header, adds nothing.
void addUpCopies(std::vector<Finding> &findings) {
  std::map<std::pair<std::string, decltype(Finding().identity())>,
           std::vector<Finding *>>
      copies;
  for (Finding &finding : findings)
    if (finding.share && finding.verdict() != Verdict::Refuted)
      copies[{kernelOf(finding), finding.identity()}].push_back(&finding);
  for (auto &[identity, group] : copies) {
    JointShare joint;
    for (const Finding *finding : group)
      joint.add(*finding->share, finding->kernels.front().saving);
    for (Finding *finding : group) {
      finding->share = joint.share();
      finding->kernels.front().saving = joint.saving();
    }
  }
}

/// Lints one source. `compile` returns the compiled code, with at least what is
/// asked of it; it has a limit of its own. What is not done by the deadline is
/// left out.
Linted lintSource(const Work &work, const CompileOptions &options,
                  SeeSource see, llvm::function_ref<Compiled(Asks)> compile,
                  Deadline &deadline) {
  const std::vector<const Check *> checks = work.settings->enabled();
  std::vector<CostedKernel> kernels = cost(work);
  Linted linted;
  linted.tooLong = tooLongIn(kernels);
  for (const CostedKernel &kernel : kernels)
    llvm::append_range(linted.findings,
                       inspect(kernel, checks, *work.settings));
  dropToolkitFindings(linted.findings, work);
  if (deadline.isOver() || !needsCompiledCode(work, linted, options, see)) {
    dropGeneral(linted.findings, checks);
    addUpCopies(linted.findings);
    markOfNoUse(linted.findings, work);
    return linted;
  }
  const auto begin = std::chrono::steady_clock::now();
  const Compiled compiled = compile(askedOf(linted.findings, checks));
  deadline.extend(std::chrono::steady_clock::now() - begin);
  linted.onlyCompiled = onlyCompiled(work.model, compiled);
  if (kernels.empty())
    return linted; // and without findings
  linted.compile = outcomeOf(compiled, options);
  const CompiledAwayByKernel away =
      judge(linted.findings, kernels, compiled, checks);
  const CostedAsCompiled compiledCosts =
      costAsCompiled(std::move(kernels), away);
  for (const CostedKernel &kernel : compiledCosts.kernels)
    if (away.count(kernel.kernel.mangled))
      shareAgain(linted.findings, kernel, checks, *work.settings);
  if (see)
    see({work.command, work.arguments, work.toolkit, work.model.kernels,
         compiled},
        compiledCosts.kernels);
  dropGeneral(linted.findings, checks);
  dropToolkitFindings(linted.findings, work);
  addUpCopies(linted.findings);
  markOfNoUse(linted.findings, work);
  return linted;
}

std::string findingsKey(const Batch &batch, size_t i, const Lint &request) {
  return batch.cache->lintedKey(batch.sources[i], launchesElsewhere(batch, i),
                                bool(request.reported));
}

/// Looks up the findings of each source. Nothing is found if the caller wants
/// to see the sources.
std::vector<CachedFindings> cachedFindings(const Batch &batch,
                                           const Options &options,
                                           const Lint &request) {
  std::vector<CachedFindings> found(batch.sources.size());
  // Kernels that come from PTX are not stored.
  if (!batch.cache->isOn() || options.sources.fromPtx)
    return found;
  forEachInParallel(
      found.size(), options.limits.threads,
      [&](size_t i) {
        found[i].key = findingsKey(batch, i, request);
        if (batch.includes(i) && !request.see)
          found[i].linted = batch.cache->linted(found[i].key);
      },
      [](size_t) {});
  return found;
}

/// What an interrupted run has instead of compiled code: parts of that code
/// would judge wrongly.
Compiled notCompiled() {
  Compiled compiled;
  compiled.whyNot = std::string("the run ") + interruptedWords;
  compiled.endedByChance = true;
  return compiled;
}

/// Lints the sources in `which`, large ones first.
void lintUncached(Batch &batch, std::vector<size_t> which,
                  const Options &options, const Lint &request,
                  llvm::ArrayRef<CachedFindings> cached,
                  std::vector<Result> &results) {
  sortForCompiling(which, batch, options.compiling);
  std::vector<char> isUnread(which.size());
  Progress progress(options.compiling.judge ? "judging" : "linting",
                    which.size(),
                    Progress::Terminal::standardError(options.output.quiet));
  forEachInParallel(
      which.size(), options.limits.threads,
      [&](size_t at) {
        const size_t i = which[at];
        Work &work = batch.sources[i];
        if (!work.hasModel && !recallModel(batch, i)) {
          isUnread[at] = true;
          return;
        }
        // The models of 10,000 sources, with what is known of their
        // expressions by then, take more memory than a machine may have.
        const llvm::scope_exit forget([&] {
          if (!request.keepsModels && !work.key.empty())
            forgetModel(work);
        });
        if (isInterruptedForLong()) {
          results[i] = {{}, interruptedWords};
          return;
        }
        progress.step(work.command.source);
        auto compiled = [&](Asks asked) {
          if (options.compiling.judge && request.reported)
            if (auto built =
                    request.reported(work.translation.architectures, asked))
              return std::move(*built);
          Compiled made;
          if (!isInterrupted())
            made = compile(batch, i, options, which.size(),
                           request.see ? Asks::PtxWithLines : asked);
          return isInterrupted() && options.compiling.judge
                     ? notCompiled()
                     : made;
        };
        Deadline deadline(options.limits.timeout, work.readFor);
        results[i].linted = lintSource(work, options.compiling, request.see,
                                       compiled, deadline);
        addEdits(results[i].linted.findings, work, options.sources.buffers);
        if (deadline.isOver()) {
          results[i] = {{},
                        isInterruptedForLong()
                            ? interruptedWords
                            : tookTooLong(options.limits.timeout)};
          return;
        }
        if (isInterrupted())
          return;
        // The key includes the files that nvcc has read by now.
        if (!cached[i].key.empty())
          batch.cache->store(findingsKey(batch, i, request), results[i].linted);
      },
      [&](size_t at) {
        results[which[at]] = {{}, endedInACrash};
      });
  std::vector<size_t> unread;
  for (size_t at = 0; at < which.size(); ++at)
    if (isUnread[at])
      unread.push_back(which[at]);
  if (unread.empty())
    return;
  readModels(batch, unread, options);
  lintUncached(batch, std::move(unread), options, request, cached, results);
}

SourceOutcome outcomeOf(const Work &work, Result result) {
  SourceOutcome outcome = outcomeOf(work);
  outcome.linted = std::move(result.linted);
  outcome.notLinted = std::move(result.notLinted);
  for (KernelOutline &kernel : outcome.outline.kernels)
    if (llvm::is_contained(outcome.linted.tooLong, kernel.mangled))
      kernel.notFollowed.push_back("addresses that are too long to evaluate");
  for (Finding &finding : outcome.linted.findings) {
    finding.level = work.settings->levelOf(finding);
    finding.leastShare = work.settings->leastShare.value;
  }
  for (const Check *check : work.settings->enabled())
    outcome.enabled.emplace_back(check->info.id);
  outcome.reported = reportedIn(work, outcome.linted.findings);
  outcome.uselessLevel = work.settings->uselessAllows();
  return outcome;
}

} // namespace

Outcomes lint(Batch &batch, const Options &options, const Lint &request) {
  std::vector<CachedFindings> cached = cachedFindings(batch, options, request);
  std::vector<Result> results(batch.sources.size());
  std::vector<size_t> included, missing;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!batch.includes(i))
      continue;
    included.push_back(i);
    if (cached[i].linted)
      results[i].linted = std::move(*cached[i].linted);
    else
      missing.push_back(i);
  }
  lintUncached(batch, std::move(missing), options, request, cached, results);
  Outcomes outcomes;
  outcomes.notes = batch.notes;
  outcomes.sources.resize(included.size());
  forEachInParallel(
      included.size(), options.limits.threads,
      [&](size_t at) {
        const size_t i = included[at];
        outcomes.sources[at] =
            outcomeOf(batch.sources[i], std::move(results[i]));
      },
      [&](size_t at) {
        outcomes.sources[at].source =
            batch.sources[included[at]].command.source;
        outcomes.sources[at].notLinted = endedInACrash;
      });
  return outcomes;
}

} // namespace warplint
