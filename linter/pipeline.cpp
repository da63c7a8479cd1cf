#include "pipeline.h"
#include "batch.h"
#include "before.h"
#include "findings/check.h"
#include "findings/judge.h"
#include "findings/suppress.h"
#include "known.h"
#include "report/progress.h"
#include "resources.h"
#include "workers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <mutex>
#include <set>

namespace warplint {

namespace {

/// What one check says in particular, another one need not say in general.
void dropGeneral(std::vector<Finding> &findings,
                 const std::vector<const Check *> &enabled) {
  for (const Check *particular : enabled) {
    if (!particular->insteadOf)
      continue;
    std::set<std::tuple<Place, std::vector<Place>, std::string>> said;
    for (const Finding &finding : findings)
      if (finding.check == particular->info.id)
        said.insert({finding.place, finding.callSites, finding.about});
    llvm::erase_if(findings, [&](const Finding &finding) {
      return finding.check == particular->insteadOf &&
             said.count({finding.place, finding.callSites, finding.about});
    });
  }
}

std::vector<Finding> inspect(const std::vector<CostedKernel> &kernels,
                             const std::vector<const Check *> &enabled) {
  std::vector<Finding> found;
  for (const CostedKernel &costs : kernels) {
    std::vector<Finding> inKernel;
    for (const Check *check : enabled) {
      if (!check->inspect)
        continue;
      Findings findings(check->info, costs.kernel, inKernel);
      check->inspect(costs, findings);
    }
    dropGeneral(inKernel, enabled);
    llvm::append_range(found, inKernel);
  }
  return found;
}

/// A place in a header of the toolkit, such as a kernel of Thrust that does not
/// call anything of the user's, is nothing that the user can change.
void dropToolkitsOwn(std::vector<Finding> &findings, const Work &work) {
  if (!work.toolkit)
    return;
  llvm::SmallString<256> root(work.toolkit->root);
  llvm::sys::path::append(root, "");
  llvm::erase_if(findings, [&](const Finding &finding) {
    return llvm::StringRef(finding.place.file).starts_with(root);
  });
}

/// Whether something that only compiled code shows is looked for.
bool asksCompiledCode(const Check *check) {
  return check->inspectCompiled != nullptr;
}

/// The checks that ran on every source.
std::set<std::string> ranEverywhere(const Batch &batch) {
  std::map<std::string, size_t> sources;
  for (const Work &work : batch.sources)
    for (const Check *check : work.settings->enabled())
      ++sources[std::string(check->info.id)];
  std::set<std::string> result;
  for (const auto &[id, count] : sources)
    if (count == batch.sources.size())
      result.insert(id);
  return result;
}

/// The first check that compiled code is asked for; null if there is none.
const Check *firstAsking(const std::vector<const Check *> &enabled) {
  auto asking = llvm::find_if(enabled, asksCompiledCode);
  return asking == enabled.end() ? nullptr : *asking;
}

/// What has to be known of the compiled code to judge these findings, and to
/// see what it shows by itself.
Asks askedOf(const std::vector<Finding> &findings,
             const std::vector<const Check *> &enabled) {
  Asks asked = Asks::Report;
  for (const Finding &finding : findings)
    if (const Check *check = findCheck(finding.check); check && check->judge)
      asked = std::max(asked, check->judgeAsks);
  for (const Check *check : enabled)
    if (asksCompiledCode(check))
      asked = std::max(asked, check->inspectAsks);
  return asked;
}

/// What became of a source's compile for judging.
struct NotCompiled {
  const Check *asking = nullptr; ///< a check that says nothing without it
  std::string why;               ///< empty if there is no reason
  bool isCompiled = false;       ///< for each architecture
};

bool isWhole(const Compiled &compiled) {
  return compiled.whyNot.empty() &&
         llvm::all_of(compiled.units, [](const CompiledUnit &unit) {
           return unit.whyNot.empty();
         });
}

/// A spill that nobody could look for is not an absent one.
void noteNotCompiled(const std::vector<NotCompiled> &all, Report &report) {
  auto isMissed = [](const NotCompiled &one) {
    return one.asking && !one.why.empty();
  };
  auto first = llvm::find_if(all, isMissed);
  if (first == all.end())
    return;
  const size_t sources = llvm::count_if(all, isMissed);
  report.notes.push_back(
      (sources == 1 ? std::string("1 source was")
                    : std::to_string(sources) + " sources were") +
      " not compiled, so '" + std::string(first->asking->info.id) +
      "' says nothing there: " + first->why);
}

} // namespace

/// The level that a configuration gives a check is that of its findings.
static void setLevels(std::vector<Finding> &findings,
                      const Settings &settings) {
  std::map<llvm::StringRef, Level> levels;
  for (const CheckSettings &check : settings.checks)
    levels[check.check->info.id] = check.level.value;
  for (Finding &finding : findings)
    finding.level = levels.at(finding.check);
}

/// What a source's allowances are held against. A check that asks compiled code
/// says nothing where there is none.
static SourceFindings findingsOf(const Work &work,
                                 std::vector<Finding> findings, bool isCompiled,
                                 bool isCrashed) {
  SourceFindings result{work.command.source, std::move(findings),
                        work.model.kernels};
  result.isWhole = !isCrashed && work.whyNot.empty() &&
                   work.model.errors.empty() && work.model.notRead.empty() &&
                   llvm::all_of(work.model.kernels, [](const Kernel &kernel) {
                     return kernel.notFollowed.empty();
                   });
  for (const Check *check : work.settings->enabled())
    if (isCompiled || !asksCompiledCode(check))
      result.ran.emplace_back(check->info.id);
  result.reportsIn = [&work](const std::string &file) {
    return work.settings->reportsIn(file, work.command.source);
  };
  result.uselessLevel = work.settings->uselessAllows();
  return result;
}

/// Whether the options name more than single sources, of whose headers others
/// may make another use.
static bool namesAllSources(const SourceRequest &request) {
  return request.paths.empty()
             ? !request.database.empty()
             : llvm::any_of(request.paths, [](llvm::StringRef path) {
                 return llvm::sys::fs::is_directory(path);
               });
}

/// What the sources allow, with a reason, is no finding.
static Suppressed allowed(std::vector<SourceFindings> sources,
                          bool allSources) {
  std::vector<std::string> known;
  for (const Check &check : checks())
    known.emplace_back(check.info.id);
  return suppress(std::move(sources), known, allSources);
}

/// Findings of everything that was read. `see` and `reported` may be empty.
static Report lint(Batch &batch, const Options &options, bool allSources,
                   SeeSource see, Reported reported) {
  Report report = summary(batch);
  std::vector<std::vector<Finding>> found(batch.sources.size());
  std::vector<std::string> crashes(batch.sources.size());
  std::vector<NotCompiled> notCompiled(batch.sources.size());
  {
    Progress progress("judging", batch.sources.size());
    forEachInParallel(
        batch.sources.size(), options.threads,
        [&](size_t i) {
          Work &work = batch.sources[i];
          progress.step(work.command.source);
          const std::vector<const Check *> enabled = work.settings->enabled();
          const Tuning tuning = work.settings->tuning();
          std::vector<CostedKernel> costs;
          for (const Kernel &kernel : work.model.kernels)
            costs.push_back(costed(kernel, tuning));
          found[i] = inspect(costs, enabled);
          dropToolkitsOwn(found[i], work);
          notCompiled[i].asking = firstAsking(enabled);
          // Only a source with something to judge is compiled.
          if (!found[i].empty() ||
              (!costs.empty() && (notCompiled[i].asking || see))) {
            std::optional<Compiled> asBuilt;
            if (options.judge && reported)
              asBuilt = reported(work.translation.architectures,
                                 askedOf(found[i], enabled));
            const Compiled compiled =
                asBuilt ? std::move(*asBuilt)
                        : compiledFor(work, options, batch.sources.size());
            if (options.judge)
              notCompiled[i].why = compiled.whyNot;
            notCompiled[i].isCompiled = isWhole(compiled);
            if (see)
              see({work.command, work.arguments, work.toolkit,
                   work.model.kernels, compiled},
                  costs);
            judge(found[i], costs, compiled, enabled);
            dropToolkitsOwn(found[i], work);
          }
          setLevels(found[i], *work.settings);
        },
        [&](size_t i) { crashes[i] = "linting it ended in a crash"; });
  }
  std::vector<SourceFindings> sources;
  for (size_t i = 0; i < found.size(); ++i) {
    const Work &work = batch.sources[i];
    if (!crashes[i].empty())
      report.unread.push_back({work.command.source, crashes[i], false});
    sources.push_back(findingsOf(work, std::move(found[i]),
                                 notCompiled[i].isCompiled,
                                 !crashes[i].empty()));
  }
  noteNotCompiled(notCompiled, report);
  Suppressed left = allowed(std::move(sources), allSources);
  report.findings = mergeFindings(std::move(left.findings));
  report.allowed = left.hidden;
  return report;
}

llvm::Expected<Report> check(const Options &options, SeeSource see) {
  std::optional<Baseline> baseline;
  if (!options.baseline.empty()) {
    auto known = loadBaseline(options.baseline);
    if (!known)
      return known.takeError();
    baseline = std::move(*known);
  }
  std::optional<Changes> changes;
  if (!options.diff.empty()) {
    auto since = changesSince(options.diff);
    if (!since)
      return since.takeError();
    changes = std::move(*since);
  }
  auto batch = readBatch(options, changes ? &*changes : nullptr);
  if (!batch)
    return batch.takeError();
  const bool compareKernels =
      changes && !changes->commit.empty() && options.judge;
  ResourceReport taken;
  std::mutex one;
  auto take = [&](const CompiledSource &source,
                  const std::vector<CostedKernel> &costs) {
    ResourceReport here;
    addCompiled(source, here);
    std::lock_guard<std::mutex> lock(one);
    llvm::append_range(taken.rows, here.rows);
    if (see)
      see(source, costs);
  };
  Report report =
      lint(*batch, options, !changes && namesAllSources(options.sources),
           compareKernels ? SeeSource(take) : see, nullptr);
  if (baseline)
    dropKnown(*baseline, options.baseline, ranEverywhere(*batch), report);
  if (changes)
    keepChanged(report.findings, *changes);
  if (!compareKernels || taken.rows.empty())
    return report;
  auto worse = worseThanBefore(*batch, *changes, std::move(taken), options);
  if (!worse)
    return worse.takeError();
  report.worse = std::move(worse->changes);
  llvm::append_range(report.notes, worse->missing);
  return report;
}

llvm::Expected<Report> checkCommand(const Options &options,
                                    const Command &command, Reported reported) {
  auto batch = readCommand(options, command);
  if (!batch)
    return batch.takeError();
  return lint(*batch, options, /*allSources=*/false, nullptr, reported);
}

llvm::Expected<Report>
compileEach(const Options &options,
            llvm::function_ref<void(const CompiledSource &)> use) {
  auto batch = readBatch(options);
  if (!batch)
    return batch.takeError();
  Progress progress("compiling", batch->sources.size());
  auto hand = [&](const Work &work, const Compiled &compiled) {
    use({work.command, work.arguments, work.toolkit, work.model.kernels,
         compiled});
  };
  forEachInParallel(
      batch->sources.size(), options.threads,
      [&](size_t i) {
        progress.step(batch->sources[i].command.source);
        hand(batch->sources[i],
             compiledFor(batch->sources[i], options, batch->sources.size()));
      },
      [&](size_t i) {
        Compiled crashed;
        crashed.whyNot = "reading what nvcc made of it ended in a crash";
        hand(batch->sources[i], crashed);
      });
  return summary(*batch);
}

} // namespace warplint
