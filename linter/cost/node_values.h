// Keeps the values of evaluated nodes, by node and iterations, and tells which
// of them all warps of a block share.
#pragma once
#include "cost/lane_values.h"
#include "model/model.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <vector>

namespace warplint {

/// Evaluated nodes.
class NodeValues {
public:
  explicit NodeValues(const ExpressionGraph &graph)
      : first_(static_cast<const LaneValues **>(
            calloc(graph.size() + 1, sizeof(const LaneValues *)))) {}

  /// The place of a node's values; null: not evaluated yet. `key`: of the
  /// iterations of the loops that the node depends on (`Iterations::keyOf`).
  const LaneValues *&known(ValueId id, uint64_t key) {
    return key ? later_[{id, key}] : first_[id];
  }
  LaneValues *allocate() {
    ++size_;
    return values_.Allocate<LaneValues>();
  }
  size_t size() const { return size_; } ///< how many were allocated

private:
  static_assert(std::is_trivially_destructible_v<LaneValues>);
  llvm::BumpPtrAllocator values_;
  /// Values that depend on no loop or belong to first iterations, by node. The
  /// operating system clears a page when it is first touched, and one address
  /// of a long kernel touches few pages.
  struct Free {
    void operator()(const LaneValues **pointers) const { free(pointers); }
  };
  std::unique_ptr<const LaneValues *[], Free> first_;
  llvm::DenseMap<std::pair<ValueId, uint64_t>, const LaneValues *> later_;
  size_t size_ = 0;
};

/// Returns for each node if its value depends on which warp of a block
/// evaluates it.
std::vector<bool> differingByWarp(const Kernel &kernel);

/// What the warps of a block share.
struct BlockValues {
  explicit BlockValues(const Kernel &kernel)
      : values(kernel.graph), differs(differingByWarp(kernel)) {}
  NodeValues values;               ///< of nodes that do not differ
  const std::vector<bool> differs; ///< by node
};

} // namespace warplint
