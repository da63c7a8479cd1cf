// Sources to a list of what is known of their kernels.
#pragma once
#include "run/each_source.h"

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
  result.rows =
      rowsOfEach<Row>(*batch, options, "listing", [&](Work &work, Deadline &) {
        std::vector<Row> rows;
        for (const Kernel &kernel : work.model.kernels)
          for (Row &row : rowsOf(kernel, work))
            rows.push_back(std::move(row));
        return rows;
      });
  result.report = summary(*batch);
  return result;
}

} // namespace warplint
