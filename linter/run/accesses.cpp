// The three lists of `warplint accesses`.
#include "os/workers.h"
#include "report/progress.h"
#include "run/batch.h"
#include "run/compile_sources.h"
#include "run/pipeline.h"

namespace warplint {

llvm::Expected<AccessReport> accesses(const Options &options) {
  auto batch = readBatch(options, Want::Models);
  if (!batch)
    return batch.takeError();
  AccessReport result;
  result.report = summary(*batch);
  std::vector<std::vector<AccessRow>> rows(batch->sources.size());
  std::vector<std::string> crashes(batch->sources.size());
  forEachInParallel(
      rows.size(), options.limits.threads,
      [&](size_t i) {
        for (const Kernel &kernel : batch->sources[i].model.kernels)
          for (AccessRow &row : accessRows(kernel))
            rows[i].push_back(std::move(row));
      },
      [&](size_t i) {
        rows[i].clear();
        crashes[i] = "linting it ended in a crash";
      });
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!crashes[i].empty())
      result.report.unread.push_back(
          {batch->sources[i].command.source, crashes[i], false});
    result.rows.insert(result.rows.end(),
                       std::make_move_iterator(rows[i].begin()),
                       std::make_move_iterator(rows[i].end()));
  }
  return result;
}

/// Compares the accesses of a source with those of its PTX. `work.notes` gets
/// the reasons why some are not compared.
static std::vector<Disagreement> disagreementsIn(Work &work,
                                                 const Options &options) {
  std::vector<Disagreement> result;
  if (work.isPtx()) {
    work.notes.push_back("PTX alone, so there is no source to compare with");
    return result;
  }
  if (work.model.kernels.empty())
    return result;
  auto fromPtx = ptxKernelsOf(work, options);
  if (!fromPtx) {
    work.notes.push_back("not compared: " +
                         llvm::toString(fromPtx.takeError()));
    return result;
  }
  for (const Kernel &source : work.model.kernels) {
    auto ptx = llvm::find_if(*fromPtx, [&](const Kernel &kernel) {
      return kernel.mangled == source.mangled;
    });
    if (ptx != fromPtx->end())
      llvm::append_range(result, disagreements(source, *ptx));
    else
      work.notes.push_back("the compiler did not emit kernel '" + source.name +
                           "'");
  }
  return result;
}

llvm::Expected<DisagreementReport> disagree(const Options &options) {
  auto batch = readBatch(options, Want::Models);
  if (!batch)
    return batch.takeError();
  std::vector<std::vector<Disagreement>> found(batch->sources.size());
  {
    Progress progress("comparing", found.size());
    forEachInParallel(
        found.size(), options.limits.threads,
        [&](size_t i) {
          progress.step(batch->sources[i].command.source);
          found[i] = disagreementsIn(batch->sources[i], options);
        },
        [&](size_t i) {
          batch->sources[i].model.outline.whyNot =
              "comparing it ended in a crash";
        });
  }
  DisagreementReport result;
  for (std::vector<Disagreement> &each : found)
    llvm::append_range(result.disagreements, each);
  result.report = summary(*batch);
  return result;
}

llvm::Expected<SummaryReport> summarise(const Options &options) {
  auto batch = readBatch(options, Want::Models);
  if (!batch)
    return batch.takeError();
  SummaryReport result;
  result.report = summary(*batch);
  std::vector<std::vector<KernelTally>> tallies(batch->sources.size());
  std::vector<std::string> crashes(batch->sources.size());
  Progress progress("counting", tallies.size());
  forEachInParallel(
      tallies.size(), options.limits.threads,
      [&](size_t i) {
        Work &work = batch->sources[i];
        progress.step(work.command.source);
        for (size_t k = 0; k < work.model.kernels.size(); ++k) {
          tallies[i].push_back(tally(work.model.kernels[k]));
          // A model from PTX has no coverage.
          if (k < work.model.coverage.size())
            tallies[i].back().coverage = std::move(work.model.coverage[k]);
        }
        work.model = {};
      },
      [&](size_t i) {
        tallies[i].clear();
        crashes[i] = "linting it ended in a crash";
      });
  for (size_t i = 0; i < tallies.size(); ++i) {
    if (!crashes[i].empty())
      result.report.unread.push_back(
          {batch->sources[i].command.source, crashes[i], false});
    for (const KernelTally &kernel : tallies[i])
      result.summary.add(kernel);
  }
  return result;
}

} // namespace warplint
