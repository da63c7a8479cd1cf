// What all warps of a kernel share while its expressions are evaluated.
#pragma once
#include "cost/address_ranges.h"
#include "cost/node_values.h"
#include "cost/size_limits.h"
#include "model/model.h"
#include <algorithm>
#include <optional>

namespace warplint {

class Evaluation {
public:
  explicit Evaluation(const Kernel &kernel,
                      llvm::ArrayRef<Launched> launches = {})
      : kernel(kernel), launches(launches), ranges(kernel),
        loops_(kernel.loops.empty()
                   ? llvm::ArrayRef<uint64_t>()
                   : llvm::ArrayRef<uint64_t>(kernel.graph.loopsOf())),
        budget(std::max<long>(smallestBudget,
                              evaluationsPerNode * kernel.graph.size())) {}
  const Kernel &kernel;
  /// Known arguments and grids; each trial uses another launch.
  const llvm::ArrayRef<Launched> launches;
  AddressRanges ranges;
  bool usesProbes = false; ///< a probe value had a part in some value
  /// The loops that a node depends on, as bits.
  uint64_t loopsOf(ValueId id) const { return loops_.empty() ? 0 : loops_[id]; }
  /// The bits of the probe values of a size.
  unsigned bitsOf(ValueId size) {
    if (!limits_)
      limits_ = sizeLimits(kernel.graph);
    auto limit = limits_->find(sizeKey(kernel.graph, size));
    return limit == limits_->end() ? usualSizeBits : limit->second;
  }

  /// Returns true if the value of a node depends on which warp of a block
  /// evaluates it.
  bool differsByWarp(ValueId id) {
    if (differs_.empty())
      differs_ = differingByWarp(kernel);
    return differs_[id];
  }

private:
  std::optional<SizeLimits> limits_; ///< none: not asked for
  std::vector<bool> differs_;        ///< by node; empty: not asked for
  /// Without loops, each warp of each block and trial evaluates a node once.
  static constexpr long smallestBudget = 6'000'000, evaluationsPerNode = 512;
  const llvm::ArrayRef<uint64_t> loops_;

public:
  /// Node evaluations left; at 0 all other nodes become unknown. Nested loops
  /// alone need more; the limit ends pathological ones.
  long budget;
};

} // namespace warplint
