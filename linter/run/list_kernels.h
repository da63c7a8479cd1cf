// Sources to a list of what is known of their kernels.
#pragma once
#include "os/deadline.h"
#include "os/workers.h"
#include "run/batch.h"

namespace warplint {

template <typename Row> struct KernelList {
  std::vector<Row> rows; ///< in the order of sources and kernels
  Report report;         ///< without findings: what could not be read
};

/// Reads what the options name, and lists `rowsOf` each kernel. A source that
/// takes too long or crashes has no rows, and a line in the report.
template <typename Row>
llvm::Expected<KernelList<Row>> listKernels(
    const Options &options,
    llvm::function_ref<std::vector<Row>(const Kernel &, const Work &)> rowsOf) {
  auto batch = readBatch(options, Want::Models);
  if (!batch)
    return batch.takeError();
  KernelList<Row> result;
  result.report = summary(*batch);
  std::vector<std::vector<Row>> rows(batch->sources.size());
  std::vector<std::string> notListed(batch->sources.size());
  forEachInParallel(
      rows.size(), options.limits.threads,
      [&](size_t i) {
        Deadline deadline(options.limits.timeout, batch->sources[i].readFor);
        for (const Kernel &kernel : batch->sources[i].model.kernels)
          for (Row &row : rowsOf(kernel, batch->sources[i]))
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
    std::move(rows[i].begin(), rows[i].end(), std::back_inserter(result.rows));
  }
  return result;
}

} // namespace warplint
