// Collects the report context while sources are linted.
#pragma once
#include "report/page.h"
#include "run/pipeline.h"
#include <mutex>

namespace warplint {

/// A `SeeSource`.
class ReportContextReader {
public:
  /// Thread-safe.
  void operator()(const CompiledSource &source,
                  const std::vector<CostedKernel> &kernels);
  /// Returns everything in the order in which it came.
  ReportContext take();

private:
  std::mutex one_;
  ReportContext context_;
};

void append(ReportContext &all, ReportContext more);

/// Merges equal entries and sorts all: the result does not depend on the order
/// of sources or the number of machines.
ReportContext settled(ReportContext context);

} // namespace warplint
