#include "run/pipeline.h"
#include "findings/check.h"
#include "findings/judge.h"
#include "os/workers.h"
#include "report/progress.h"
#include "run/ahead.h"
#include "run/baseline_file.h"
#include "run/batch.h"
#include "run/earlier_resources.h"
#include "run/outcome.h"
#include "run/resources.h"
#include "run/run_cache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
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

/// What has to be known of the compiled code to judge these findings, and to
/// see what it shows by itself.
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

/// Files of the source that its settings report findings in.
static std::set<std::string> reportedIn(const Work &work,
                                        const std::vector<Finding> &findings) {
  std::set<std::string> files = {work.command.source};
  for (const KernelOutline &kernel : work.kernels)
    for (const auto &[file, lines] : kernel.lines)
      files.insert(file);
  for (const Finding &finding : findings)
    files.insert(finding.place.file);
  std::erase_if(files, [&](const std::string &file) {
    return !work.settings->reportsIn(file, work.command.source);
  });
  return files;
}

static SourceOutcome outcomeOf(const Work &work, Linted linted,
                               bool isCrashed) {
  SourceOutcome outcome = outcomeOf(work);
  outcome.linted = std::move(linted);
  outcome.isCrashed = isCrashed;
  setLevels(outcome.linted.findings, *work.settings);
  for (const Check *check : work.settings->enabled())
    outcome.enabled.emplace_back(check->info.id);
  outcome.reported = reportedIn(work, outcome.linted.findings);
  outcome.uselessLevel = work.settings->uselessAllows();
  return outcome;
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

/// Findings of one source, judged if there is something to judge.
static Linted lintOne(const Work &work, const Options &options,
                      llvm::function_ref<Compiled()> compile, SeeSource see,
                      Reported reported) {
  Linted linted;
  const std::vector<const Check *> enabled = work.settings->enabled();
  const Tuning tuning = work.settings->tuning();
  std::vector<CostedKernel> costs;
  for (const Kernel &kernel : work.model.kernels)
    costs.push_back(costed(kernel, tuning));
  linted.findings = inspect(costs, enabled);
  dropToolkitsOwn(linted.findings, work);
  // Only a source with something to judge is compiled.
  if (linted.findings.empty() &&
      (costs.empty() || !(work.settings->asksCompiledCode() || see)))
    return linted;
  std::optional<Compiled> asBuilt;
  if (options.judge && reported)
    asBuilt = reported(work.translation.architectures,
                       askedOf(linted.findings, enabled));
  const Compiled compiled = asBuilt ? std::move(*asBuilt) : compile();
  if (options.judge)
    linted.compile.whyNot = compiled.whyNot;
  linted.compile.isWhole = isWhole(compiled);
  linted.compile.byChance = compiled.endedByChance;
  if (see)
    see({work.command, work.arguments, work.toolkit, work.model.kernels,
         compiled},
        costs);
  judge(linted.findings, costs, compiled, enabled);
  dropToolkitsOwn(linted.findings, work);
  return linted;
}

/// What earlier runs have found, and the names of all that they could have.
struct Recalled {
  std::vector<std::string> keys;
  std::vector<std::optional<Linted>> linted;
  std::vector<size_t> missing;
};

/// `anew`: everything is linted, whatever is known of it.
static Recalled recall(const Batch &batch, const Options &options,
                       const std::vector<bool> &share, bool asBuilt,
                       bool anew) {
  Recalled recalled;
  // Of kernels that come from PTX nothing is kept.
  const bool keeps = batch.cache->keeps() && !options.fromPtx;
  const size_t count = batch.sources.size();
  recalled.keys.resize(count);
  recalled.linted.resize(count);
  forEachInParallel(
      keeps ? count : 0, options.threads,
      [&](size_t i) {
        const Work &work = batch.sources[i];
        recalled.keys[i] = batch.cache->lintedKey(
            work, launchesElsewhere(work, batch), asBuilt);
        if (share[i] && !anew)
          recalled.linted[i] = batch.cache->linted(recalled.keys[i]);
      },
      [](size_t) {});
  for (size_t i = 0; i < count; ++i)
    if (share[i] && !recalled.linted[i])
      recalled.missing.push_back(i);
  return recalled;
}

/// What comes of everything that was read, or of a share of it. `see` and
/// `reported` may be empty.
static Outcomes lint(Batch &batch, const Options &options,
                     const std::vector<bool> &share, SeeSource see,
                     Reported reported) {
  Recalled recalled = recall(batch, options, share, bool(reported),
                             /*anew=*/bool(see)); // it is shown everything
  std::vector<size_t> &missing = recalled.missing;
  readModels(batch, missing, options);
  if (options.judge && missing.size() > 1)
    sortByCost(missing, batch);
  // What is being compiled is waited for before anything else is compiled.
  if (batch.ahead)
    std::stable_partition(missing.begin(), missing.end(),
                          [&](size_t i) { return batch.ahead->hasBegun(i); });
  std::vector<Linted> linted(batch.sources.size());
  for (size_t i = 0; i < linted.size(); ++i)
    if (recalled.linted[i])
      linted[i] = std::move(*recalled.linted[i]);
  std::vector<char> isCrashed(batch.sources.size());
  {
    Progress progress("judging", missing.size());
    forEachInParallel(
        missing.size(), options.threads,
        [&](size_t at) {
          const size_t i = missing[at];
          const Work &work = batch.sources[i];
          progress.step(work.command.source);
          auto compile = [&] {
            auto begun = batch.ahead ? batch.ahead->take(i) : std::nullopt;
            return begun ? std::move(*begun)
                         : compiledFor(work, options, missing.size());
          };
          linted[i] = lintOne(work, options, compile, see, reported);
          if (!recalled.keys[i].empty()) // only now nvcc has read all
            batch.cache->keep(
                batch.cache->lintedKey(work, launchesElsewhere(work, batch),
                                       bool(reported)),
                linted[i]);
        },
        [&](size_t at) {
          linted[missing[at]] = {};
          isCrashed[missing[at]] = true;
        });
  }
  std::vector<size_t> ours;
  for (size_t i = 0; i < linted.size(); ++i)
    if (share[i])
      ours.push_back(i);
  Outcomes outcomes;
  outcomes.notes = batch.notes;
  outcomes.sources.resize(ours.size());
  forEachInParallel(
      ours.size(), options.threads,
      [&](size_t at) {
        const size_t i = ours[at];
        outcomes.sources[at] = outcomeOf(batch.sources[i], std::move(linted[i]),
                                         isCrashed[i] != 0);
      },
      [&](size_t at) {
        outcomes.sources[at].source = batch.sources[ours[at]].command.source;
        outcomes.sources[at].isCrashed = true;
      });
  return outcomes;
}

/// None if none is asked for.
static llvm::Expected<std::optional<Baseline>>
baselineOf(const Options &options) {
  if (options.baseline.empty())
    return std::nullopt;
  auto known = loadBaseline(options.baseline);
  if (!known)
    return known.takeError();
  return std::move(*known);
}

static std::vector<bool> wholeOf(const Batch &batch) {
  return std::vector<bool>(batch.sources.size(), true);
}

llvm::Expected<Report> check(const Options &options, SeeSource see) {
  auto baseline = baselineOf(options);
  if (!baseline)
    return baseline.takeError();
  std::optional<Changes> changes;
  if (!options.diff.empty()) {
    auto since = changesSince(options.diff);
    if (!since)
      return since.takeError();
    changes = std::move(*since);
  }
  auto batch =
      readBatch(options, Want::Compiled, changes ? &*changes : nullptr);
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
  Outcomes outcomes = lint(*batch, options, wholeOf(*batch),
                           compareKernels ? SeeSource(take) : see, nullptr);
  outcomes.areAll = !changes && namesAllSources(options.sources);
  const std::set<std::string> ran = ranEverywhere(outcomes);
  Report report = conclude(std::move(outcomes), options.buffers);
  if (*baseline)
    dropBaselined(**baseline, options.baseline, ran, report);
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

/// Bytes of a source: the same on every machine, whatever headers it has.
static uint64_t sizeOf(const Work &work) {
  uint64_t size = 0;
  return llvm::sys::fs::file_size(work.command.source, size) ? 0 : size;
}

llvm::Expected<ShardReport> checkShard(const Options &options, SeeSource see) {
  auto batch = readBatch(options, Want::Outlines);
  if (!batch)
    return batch.takeError();
  std::vector<uint64_t> sizes;
  for (const Work &work : batch->sources)
    sizes.push_back(sizeOf(work));
  const std::vector<bool> share = shareOf(sizes, options.shard);
  ShardReport report{programHash(),
                     options.shard.index,
                     options.shard.count,
                     sizes.size(),
                     {},
                     {},
                     std::nullopt};
  for (size_t i = 0; i < share.size(); ++i)
    if (share[i])
      report.places.push_back(i);
  report.outcomes = lint(*batch, options, share, see, nullptr);
  report.outcomes.areAll = namesAllSources(options.sources);
  return report;
}

llvm::Expected<MergedReport> merge(const Options &options, bool showsContext) {
  auto baseline = baselineOf(options);
  if (!baseline)
    return baseline.takeError();
  auto merged = mergeShards(options.sources.paths, showsContext);
  if (!merged)
    return merged.takeError();
  const std::set<std::string> ran = ranEverywhere(merged->outcomes);
  Report report = conclude(std::move(merged->outcomes));
  if (*baseline)
    dropBaselined(**baseline, options.baseline, ran, report);
  return MergedReport{std::move(report), std::move(merged->around)};
}

llvm::Expected<Report> checkCommand(const Options &options,
                                    const Command &command, Reported reported) {
  auto batch =
      readCommand(options, reported ? Want::Outlines : Want::Compiled, command);
  if (!batch)
    return batch.takeError();
  return conclude(lint(*batch, options, wholeOf(*batch), nullptr, reported),
                  options.buffers);
}

llvm::Expected<Report>
compileEach(const Options &options,
            llvm::function_ref<void(const CompiledSource &)> use) {
  auto batch = readBatch(options, Want::Models);
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
