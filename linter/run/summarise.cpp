#include "run/summarise.h"
#include "cache/record.h"
#include "run/each_source.h"
#include "source/coverage/observer.h"

namespace warplint {

static std::vector<KernelTally> talliesIn(Work &work) {
  std::vector<KernelTally> tallies;
  auto covered = fromRecord<std::vector<Coverage>>(work.model.observed);
  for (size_t k = 0; k < work.model.kernels.size(); ++k) {
    tallies.push_back(tally(work.model.kernels[k]));
    if (covered && k < covered->size())
      tallies.back().coverage = std::move((*covered)[k]);
  }
  work.model.kernels.clear();
  work.model.observed.clear();
  return tallies;
}

llvm::Expected<SummaryReport> summarise(const Options &options) {
  // PTX has no expressions to compare its accesses with.
  const Instrument coverage = {"coverage", coverageObserver};
  auto batch = readBatch(options, Want::Models, /*changes=*/nullptr,
                         options.sources.fromPtx ? nullptr : &coverage);
  if (!batch)
    return batch.takeError();
  SummaryReport result;
  for (const KernelTally &kernel : rowsOfEach<KernelTally>(
           *batch, options, "counting",
           [](Work &work, Deadline &) { return talliesIn(work); }))
    result.summary.add(kernel);
  result.report = summary(*batch);
  return result;
}

} // namespace warplint
