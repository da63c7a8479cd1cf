// What a report shows beside findings, gathered source by source while they are
// linted.
#pragma once
#include "report/page.h"
#include "run/pipeline.h"
#include <mutex>

namespace warplint {

/// A `SeeSource`.
class ReportContextReader {
public:
  /// From any thread.
  void operator()(const CompiledSource &source,
                  const std::vector<CostedKernel> &kernels);
  /// Once all are in, as they came.
  ReportContext take();

private:
  std::mutex one_;
  ReportContext around_;
};

void append(ReportContext &all, ReportContext more);

/// What is alike made one and all of it sorted: the same in whatever order it
/// came, and from however many machines.
ReportContext settled(ReportContext around);

} // namespace warplint
