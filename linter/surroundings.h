// What a report shows beside findings, gathered source by source while they are
// linted.
#pragma once
#include "pipeline.h"
#include "report/page.h"
#include <mutex>

namespace warplint {

class SurroundingsReader {
public:
  /// From any thread.
  void add(const CompiledSource &source,
           const std::vector<CostedKernel> &kernels);
  /// Once all are in; the same in whatever order they came.
  Surroundings take();

private:
  std::mutex one_;
  Surroundings around_;
};

} // namespace warplint
