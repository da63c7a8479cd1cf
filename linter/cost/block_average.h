// The figure of an access in a grid, from blocks all over it that were
// evaluated one by one.
#pragma once
#include "cost/request_sums.h"
#include "cost/sampled_blocks.h"
#include <vector>

namespace warplint {

class BlockAverage {
public:
  explicit BlockAverage(Space space) : space_(space) {}
  /// Adds a block with the sums of all its warps.
  void add(const SampledBlock &block, const RequestSums &sums);
  bool isEmpty() const { return figures_.empty(); }
  /// The figures of the cheapest block and of the costliest one.
  std::pair<double, double> range() const;
  /// True if all runs of neighbouring blocks have one average.
  bool isThatOfEachRun() const;
  /// The sums of the usual block; those of a run, if they all agree.
  const RequestSums &sums(bool isThatOfEachRun) const;
  /// The block whose figure is nearest to the average.
  const BlockPlace &nearest() const;

private:
  Space space_;
  RequestSums all_;
  std::vector<RequestSums> runs_;
  std::vector<std::pair<double, BlockPlace>> figures_;
};

} // namespace warplint
