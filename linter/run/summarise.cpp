#include "run/summarise.h"
#include "cache/record.h"
#include "os/deadline.h"
#include "os/workers.h"
#include "report/progress.h"
#include "run/batch.h"
#include "source/coverage/observer.h"

namespace warplint {

llvm::Expected<SummaryReport> summarise(const Options &options) {
  // PTX has no expressions to compare its accesses with.
  const Instrument coverage = {"coverage", coverageObserver};
  auto batch = readBatch(options, Want::Models, /*changes=*/nullptr,
                         options.sources.fromPtx ? nullptr : &coverage);
  if (!batch)
    return batch.takeError();
  SummaryReport result;
  result.report = summary(*batch);
  std::vector<std::vector<KernelTally>> tallies(batch->sources.size());
  std::vector<std::string> notCounted(batch->sources.size());
  Progress progress("counting", tallies.size(),
                    Progress::Terminal::standardError(options.output.quiet));
  forEachInParallel(
      tallies.size(), options.limits.threads,
      [&](size_t i) {
        Work &work = batch->sources[i];
        progress.step(work.command.source);
        Deadline deadline(options.limits.timeout, work.readFor);
        auto covered = fromRecord<std::vector<Coverage>>(work.model.observed);
        for (size_t k = 0; k < work.model.kernels.size(); ++k) {
          tallies[i].push_back(tally(work.model.kernels[k]));
          if (covered && k < covered->size())
            tallies[i].back().coverage = std::move((*covered)[k]);
        }
        if (deadline.isOver()) {
          tallies[i].clear();
          notCounted[i] = tookTooLong(options.limits.timeout);
        }
        work.model = {};
      },
      [&](size_t i) {
        tallies[i].clear();
        notCounted[i] = "ended in a crash";
      });
  for (size_t i = 0; i < tallies.size(); ++i) {
    if (!notCounted[i].empty())
      result.report.unread.push_back({batch->sources[i].command.source,
                                      "linting it " + notCounted[i], false});
    for (const KernelTally &kernel : tallies[i])
      result.summary.add(kernel);
  }
  return result;
}

} // namespace warplint
