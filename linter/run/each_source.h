// A batch to a list, made of each source by itself.
#pragma once
#include "os/deadline.h"
#include "os/workers.h"
#include "report/progress.h"
#include "run/batch.h"

namespace warplint {

/// Returns what `rowsOf` gives for each source, in the order of the sources;
/// works on several at once and shows the progress of `verb`, "listing". A
/// source that takes longer than the limit, or that crashes, has no rows, and
/// its `whyNot` says so. `rowsOf` extends its deadline by the time of programs
/// that have a limit of their own.
template <typename Row>
std::vector<Row>
rowsOfEach(Batch &batch, const Options &options, const std::string &verb,
           llvm::function_ref<std::vector<Row>(Work &, Deadline &)> rowsOf) {
  std::vector<std::vector<Row>> found(batch.sources.size());
  {
    Progress progress(verb, found.size(),
                      Progress::Terminal::standardError(options.output.quiet));
    forEachInParallel(
        found.size(), options.limits.threads,
        [&](size_t i) {
          Work &work = batch.sources[i];
          progress.step(work.command.source);
          Deadline deadline(options.limits.timeout, work.readFor);
          std::vector<Row> rows = rowsOf(work, deadline);
          if (deadline.isOver())
            work.model.outline.whyNot =
                verb + " it " + tookTooLong(options.limits.timeout);
          else
            found[i] = std::move(rows);
        },
        [&](size_t i) {
          batch.sources[i].model.outline.whyNot = verb + " it ended in a crash";
        });
  }
  std::vector<Row> all;
  for (std::vector<Row> &rows : found)
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  return all;
}

} // namespace warplint
