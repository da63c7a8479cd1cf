// Which code no thread of a launch gets to, by what the launch passes.
#pragma once
#include "cost/evaluation.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <set>

namespace warplint {

/// Keeps what it has found of each condition: those of one kernel have most of
/// their parts in common.
class ShutOut {
public:
  /// Of the first launch of `evaluation`, whose block is `shape`. Without a
  /// launch, nothing is shut out.
  ShutOut(Evaluation &evaluation, const KernelShape &shape)
      : evaluation_(evaluation), shape_(shape) {}

  /// Returns true if a condition of the code, or of a loop around it, holds for
  /// no thread, in no iteration, whatever is unknown.
  bool isShutOut(llvm::ArrayRef<LoopId> loops, ValueId guard);

private:
  bool isOfLaunch(ValueId value, std::optional<LoopId> ended);
  /// The entries of the arguments of which the source passes other values, too.
  const std::set<uint64_t> &others();

  Evaluation &evaluation_;
  const KernelShape &shape_;
  llvm::DenseMap<ValueId, bool> never_;      ///< by condition
  std::optional<std::set<uint64_t>> others_; ///< none: not asked for
};

} // namespace warplint
