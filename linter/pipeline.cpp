#include "pipeline.h"
#include "batch.h"
#include "before.h"
#include "findings/check.h"
#include "findings/judge.h"
#include "findings/suppress.h"
#include "input/suggest.h"
#include "known.h"
#include "report/progress.h"
#include "resources.h"
#include "workers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <set>

namespace warplint {

namespace {

llvm::Expected<std::vector<const Check *>>
enabledChecks(const Options &options) {
  std::vector<const Check *> enabled;
  if (options.enabled.empty()) {
    for (const Check &check : checks())
      if (options.allChecks || check.info.level != Level::Opinion)
        enabled.push_back(&check);
    return enabled;
  }
  for (const std::string &id : options.enabled) {
    const Check *check = findCheck(id);
    if (!check)
      return unknownCheck(id);
    if (!llvm::is_contained(enabled, check))
      enabled.push_back(check);
  }
  return enabled;
}

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

std::set<std::string> idsOf(const std::vector<const Check *> &checks) {
  std::set<std::string> ids;
  for (const Check *check : checks)
    ids.emplace(check->info.id);
  return ids;
}

/// A spill that nobody could look for is not an absent one.
void noteNotCompiled(const std::vector<std::string> &whyNot,
                     const std::vector<const Check *> &enabled,
                     Report &report) {
  auto isReason = [](const std::string &why) { return !why.empty(); };
  auto first = llvm::find_if(whyNot, isReason);
  auto asking = llvm::find_if(enabled, asksCompiledCode);
  if (first == whyNot.end() || asking == enabled.end())
    return;
  const size_t sources = llvm::count_if(whyNot, isReason);
  report.notes.push_back(
      (sources == 1 ? std::string("1 source was")
                    : std::to_string(sources) + " sources were") +
      " not compiled, so '" + std::string((*asking)->info.id) +
      "' says nothing there: " + *first);
}

} // namespace

/// What the source allows, with a reason, is no finding.
static void applyAllowances(Report &report, const Batch &batch,
                            const std::vector<const Check *> &ran) {
  std::vector<std::string> sources, known, ranIds;
  for (const Work &work : batch.sources)
    sources.push_back(work.command.source);
  for (const Check &check : checks())
    known.emplace_back(check.info.id);
  for (const Check *check : ran)
    ranIds.emplace_back(check->info.id);
  Suppressed result =
      suppress(std::move(report.findings), sources, known, ranIds);
  report.findings = std::move(result.findings);
  llvm::append_range(report.notes, result.notes);
}

/// Holds what the kernels take, by source, against an earlier commit.
static llvm::Error compareKernelsWith(const Changes &changes,
                                      const Batch &batch,
                                      std::vector<ResourceReport> &taken,
                                      const Options &options, Report &report) {
  ResourceReport now;
  for (ResourceReport &each : taken)
    llvm::append_range(now.rows, each.rows);
  if (now.rows.empty())
    return llvm::Error::success();
  auto worse = worseThanBefore(batch, changes, std::move(now), options);
  if (!worse)
    return worse.takeError();
  report.worse = std::move(worse->changes);
  llvm::append_range(report.notes, worse->missing);
  return llvm::Error::success();
}

llvm::Error unknownCheck(const std::string &id) {
  std::vector<std::string> ids;
  for (const Check &check : checks())
    ids.emplace_back(check.info.id);
  std::string near = nearest(id, ids);
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "there is no check '" + id + "'" +
                                     (near.empty()
                                          ? "; 'warplint checks' lists them"
                                          : "; did you mean '" + near + "'?"));
}

llvm::Expected<Report> check(const Options &options, SeeSource see) {
  auto enabled = enabledChecks(options);
  if (!enabled)
    return enabled.takeError();
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
  Report report = summary(*batch);
  const bool compareKernels =
      changes && !changes->commit.empty() && options.judge;

  const bool compiledCodeIsAsked = llvm::any_of(*enabled, asksCompiledCode);
  std::vector<std::vector<Finding>> found(batch->sources.size());
  std::vector<std::string> crashes(batch->sources.size()),
      notCompiled(batch->sources.size());
  std::vector<ResourceReport> taken(batch->sources.size());
  {
    Progress progress("judging", batch->sources.size());
    forEachInParallel(
        batch->sources.size(), options.threads,
        [&](size_t i) {
          Work &work = batch->sources[i];
          progress.step(work.command.source);
          std::vector<CostedKernel> costs;
          for (const Kernel &kernel : work.model.kernels)
            costs.push_back(costed(kernel));
          found[i] = inspect(costs, *enabled);
          dropToolkitsOwn(found[i], work);
          // Only a source with something to judge is compiled.
          if (!compareKernels && found[i].empty() &&
              (costs.empty() || !(compiledCodeIsAsked || see)))
            return;
          const Compiled compiled =
              compiledFor(work, options, batch->sources.size());
          if (options.judge)
            notCompiled[i] = compiled.whyNot;
          const CompiledSource source{work.command, work.arguments,
                                      work.toolkit, work.model.kernels,
                                      compiled};
          if (compareKernels)
            addCompiled(source, taken[i]);
          if (see)
            see(source, costs);
          judge(found[i], costs, compiled, *enabled);
          dropToolkitsOwn(found[i], work);
        },
        [&](size_t i) { crashes[i] = "linting it ended in a crash"; });
  }
  for (size_t i = 0; i < found.size(); ++i) {
    if (!crashes[i].empty())
      report.unread.push_back(
          {batch->sources[i].command.source, crashes[i], false});
    report.findings.insert(report.findings.end(),
                           std::make_move_iterator(found[i].begin()),
                           std::make_move_iterator(found[i].end()));
  }
  noteNotCompiled(notCompiled, *enabled, report);
  report.findings = mergeFindings(std::move(report.findings));
  applyAllowances(report, *batch, *enabled);
  if (baseline)
    dropKnown(*baseline, options.baseline, idsOf(*enabled), report);
  if (changes)
    keepChanged(report.findings, *changes);
  if (compareKernels)
    if (llvm::Error error =
            compareKernelsWith(*changes, *batch, taken, options, report))
      return error;
  return report;
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
