// What a report shows beside findings, gathered source by source while they are
// linted.
#pragma once
#include "pipeline.h"
#include "report/page.h"
#include <mutex>

namespace warplint {

/// A `SeeSource`.
class SurroundingsReader {
public:
  /// From any thread.
  void operator()(const CompiledSource &source,
                  const std::vector<CostedKernel> &kernels);
  /// Once all are in, as they came.
  Surroundings take();

private:
  std::mutex one_;
  Surroundings around_;
};

void append(Surroundings &all, Surroundings more);

/// What is alike made one and all of it sorted: the same in whatever order it
/// came, and from however many machines.
Surroundings settled(Surroundings around);

} // namespace warplint
