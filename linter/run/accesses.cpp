// Sources to the list of their accesses.
#include "os/deadline.h"
#include "os/workers.h"
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
  std::vector<std::string> notListed(batch->sources.size());
  forEachInParallel(
      rows.size(), options.limits.threads,
      [&](size_t i) {
        Deadline deadline(options.limits.timeout, batch->sources[i].readFor);
        for (const Kernel &kernel : batch->sources[i].model.kernels)
          for (AccessRow &row : accessRows(kernel))
            rows[i].push_back(std::move(row));
        if (deadline.isOver()) {
          rows[i].clear();
          notListed[i] = tookTooLong(options.limits.timeout);
        }
      },
      [&](size_t i) {
        rows[i].clear();
        notListed[i] = "ended in a crash";
      });
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!notListed[i].empty())
      result.report.unread.push_back({batch->sources[i].command.source,
                                      "linting it " + notListed[i], false});
    result.rows.insert(result.rows.end(),
                       std::make_move_iterator(rows[i].begin()),
                       std::make_move_iterator(rows[i].end()));
  }
  return result;
}

} // namespace warplint
