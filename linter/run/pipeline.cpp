#include "run/pipeline.h"
#include "base/folders.h"
#include "base/plural.h"
#include "os/signals.h"
#include "os/workers.h"
#include "report/progress.h"
#include "run/baseline_file.h"
#include "run/batch.h"
#include "run/compile_sources.h"
#include "run/earlier_resources.h"
#include "run/lint.h"
#include "run/openable.h"
#include "run/outcome.h"
#include "run/read_sources.h"
#include "run/resources.h"
#include "llvm/Support/FileSystem.h"
#include <mutex>
#include <numeric>
#include <set>

namespace warplint {

/// Returns true if the options name a whole project. Single sources may have
/// headers that other sources use as well.
static bool namesAllSources(const SourceRequest &request) {
  return request.paths.empty()
             ? !request.database.empty()
             : llvm::any_of(request.paths, [](llvm::StringRef path) {
                 return llvm::sys::fs::is_directory(path);
               });
}

static llvm::Expected<std::optional<Baseline>>
baselineOf(const CheckOptions &options) {
  if (options.baseline.empty())
    return std::nullopt;
  auto baseline = loadBaseline(options.baseline);
  if (!baseline)
    return baseline.takeError();
  return std::move(*baseline);
}

static llvm::Expected<std::optional<Changes>>
changesOf(const CheckOptions &options) {
  if (options.diff.empty())
    return std::nullopt;
  auto changes = changesSince(options.diff);
  if (!changes)
    return changes.takeError();
  return std::move(*changes);
}

/// Says what the report of an interrupted run lacks; empty for another run.
static std::string interruption(const Outcomes &outcomes,
                                const Options &options) {
  if (!isInterrupted())
    return "";
  const llvm::StringRef words(interruptedWords);
  size_t missing = 0, unjudged = 0;
  for (const SourceOutcome &source : outcomes.sources) {
    const bool isMissing =
        llvm::StringRef(source.outline.whyNot).ends_with(words) ||
        llvm::StringRef(source.notLinted).ends_with(words);
    missing += isMissing;
    unjudged +=
        !isMissing &&
        llvm::StringRef(source.linted.compile.whyNot).ends_with(words);
  }
  std::string text = "the run " + words.str();
  if (missing)
    text += ": " + counted(missing, "source") + " of " +
            std::to_string(outcomes.sources.size()) +
            (missing == 1 ? " is" : " are") + " not in this report";
  if (unjudged)
    text += std::string(missing ? ", and" : ":") + " the findings of " +
            counted(unjudged, "source") + " are not judged";
  if (!options.cache.folder.empty())
    text += "; the next run goes on from here";
  return text;
}

static llvm::Expected<FixedReport> checkBatch(const Options &options,
                                              SeeSource see, bool fixes) {
  auto baseline = baselineOf(options.check);
  if (!baseline)
    return baseline.takeError();
  auto since = changesOf(options.check);
  if (!since)
    return since.takeError();
  const std::optional<Changes> &changes = *since;
  auto batch =
      readBatch(options, Want::Compiled, changes ? &*changes : nullptr);
  if (!batch)
    return batch.takeError();
  const bool compareKernels =
      changes && !changes->commit.empty() && options.compiling.judge;
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
  Outcomes outcomes = lint(*batch, options,
                           {.see = compareKernels ? SeeSource(take) : see,
                            .keepsModels = compareKernels});
  outcomes.areAll = !changes && namesAllSources(options.sources);
  if (compareKernels && !taken.rows.empty())
    if (llvm::Error error = addWorseThanAtCommit(
            *batch, *changes, std::move(taken), options, outcomes))
      return error;
  const std::set<std::string> ran = ranEverywhere(outcomes);
  const std::string lacks = interruption(outcomes, options);
  Report report = conclude(std::move(outcomes), options.sources.buffers);
  if (!lacks.empty())
    report.notes.insert(report.notes.begin(), lacks);
  if (*baseline)
    dropBaselined(**baseline, options.check.baseline, ran, report);
  if (changes)
    keepChanged(report.findings, *changes);
  if (!fixes)
    return FixedReport{std::move(report), {}};
  auto texts = proveFixes(*batch, options, report.findings);
  if (!texts)
    return texts.takeError();
  return FixedReport{std::move(report), std::move(*texts)};
}

llvm::Expected<Report> check(const Options &options, SeeSource see) {
  auto checked = checkBatch(options, see, /*fixes=*/false);
  if (!checked)
    return checked.takeError();
  return std::move(checked->report);
}

llvm::Expected<FixedReport> checkAndFix(const Options &options, SeeSource see) {
  return checkBatch(options, see, /*fixes=*/true);
}

llvm::Expected<ShardReport> checkShard(const Options &options, SeeSource see) {
  const Shard &shard = *options.check.shard;
  auto batch = readBatch(options, Want::Outlines);
  if (!batch)
    return batch.takeError();
  ShardReport report{programHash(),         shard.index, shard.count,
                     batch->sources.size(), {},          {},
                     std::nullopt};
  for (size_t i = 0; i < batch->share.size(); ++i)
    if (batch->share[i])
      report.places.push_back(i);
  report.outcomes = lint(*batch, options, {.see = see});
  report.outcomes.areAll = namesAllSources(options.sources);
  return report;
}

llvm::Expected<MergedReport> merge(const Options &options, bool showsContext) {
  auto baseline = baselineOf(options.check);
  if (!baseline)
    return baseline.takeError();
  auto merged = mergeShards(options.sources.paths, showsContext);
  if (!merged)
    return merged.takeError();
  std::vector<std::string> folders;
  for (const std::string &part : options.sources.paths)
    folders.push_back(folderOf(part));
  Openable openable(std::move(folders));
  for (const SourceOutcome &source : merged->outcomes.sources)
    openable.add(source);
  openable.add(merged->context);
  openable.addNote(merged->outcomes.notes);
  const std::set<std::string> ran = ranEverywhere(merged->outcomes);
  Report report = conclude(std::move(merged->outcomes), openable.closed());
  if (*baseline)
    dropBaselined(**baseline, options.check.baseline, ran, report);
  return MergedReport{std::move(report), std::move(merged->context)};
}

llvm::Expected<Report> checkCommand(const Options &options,
                                    const Command &command, Reported reported) {
  auto batch =
      readCommand(options, reported ? Want::Outlines : Want::Compiled, command);
  if (!batch)
    return batch.takeError();
  return conclude(lint(*batch, options, {.reported = reported}),
                  options.sources.buffers);
}

llvm::Expected<Report>
compileEach(const Options &options,
            llvm::function_ref<void(const CompiledSource &)> use) {
  auto batch = readBatch(options, Want::ModelsCompiled);
  if (!batch)
    return batch.takeError();
  std::vector<size_t> order(batch->sources.size());
  std::iota(order.begin(), order.end(), 0);
  sortForCompiling(order, *batch, options.compiling);
  Progress progress("compiling", batch->sources.size(),
                    Progress::Terminal::standardError(options.output.quiet));
  auto hand = [&](const Work &work, const Compiled &compiled) {
    use({work.command, work.arguments, work.toolkit, work.model.kernels,
         compiled});
  };
  forEachInParallel(
      order.size(), options.limits.threads,
      [&](size_t i) {
        const Work &work = batch->sources[order[i]];
        progress.step(work.command.source);
        hand(work, compile(*batch, order[i], options, order.size()));
      },
      [&](size_t i) {
        Compiled crashed;
        crashed.whyNot = "reading what nvcc made of it ended in a crash";
        hand(batch->sources[order[i]], crashed);
      });
  return summary(*batch);
}

} // namespace warplint
