#include "cost/block_average.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace warplint {

void BlockAverage::add(const SampledBlock &block, const RequestSums &sums) {
  all_.add(sums, block.weight);
  runs_.resize(std::max<size_t>(runs_.size(), block.run + 1));
  runs_[block.run].add(sums, 1);
  figures_.push_back({sums.value(space_), block.place});
}

std::pair<double, double> BlockAverage::range() const {
  const auto [least, most] =
      std::minmax_element(figures_.begin(), figures_.end());
  return {least->first, most->first};
}

bool BlockAverage::isThatOfEachRun() const {
  return llvm::all_of(runs_, [&](const RequestSums &run) {
    return !run.requests ||
           std::abs(run.value(space_) - all_.value(space_)) < 1e-9;
  });
}

const RequestSums &BlockAverage::sums(bool isThatOfEachRun) const {
  if (!isThatOfEachRun)
    return all_;
  // Without the rounding of weights: a ratio may be exactly a threshold.
  return *llvm::find_if(
      runs_, [](const RequestSums &run) { return run.requests > 0; });
}

const BlockPlace &BlockAverage::nearest() const {
  const double average = all_.value(space_);
  return llvm::min_element(figures_,
                           [&](const auto &a, const auto &b) {
                             return std::abs(a.first - average) <
                                    std::abs(b.first - average);
                           })
      ->second;
}

} // namespace warplint
