// Keeps the values of evaluated nodes, by node and iterations, and tells which
// of them all warps of a block share.
#pragma once
#include "cost/lane_values.h"
#include "model/model.h"
#include "llvm/Support/Allocator.h"
#include <cstdlib>
#include <memory>
#include <vector>

namespace warplint {

/// Values in later iterations, by node and key. A table of places: one warp
/// looks up tens of millions, mostly of neighbouring nodes in one iteration.
class LaterValues {
public:
  const LaneValues *at(ValueId id, uint64_t key) const {
    return places_.empty() ? nullptr : places_[placeOf(id, key)].values;
  }
  void set(ValueId id, uint64_t key, const LaneValues *values);

private:
  struct Place {
    uint64_t key = 0;
    ValueId id = 0;
    const LaneValues *values = nullptr; ///< null: the place is free
  };
  /// The place of a node in an iteration, or the free one that it would get.
  size_t placeOf(ValueId id, uint64_t key) const {
    size_t place = hash(id, key) >> shift_;
    for (; places_[place].values; place = (place + 1) & (places_.size() - 1))
      if (places_[place].key == key && places_[place].id == id)
        break;
    return place;
  }
  static uint64_t hash(ValueId id, uint64_t key) {
    constexpr uint64_t golden = 0x9e3779b97f4a7c15; // 2^64 / golden ratio
    return (key ^ id) * golden;
  }
  void grow();

  std::vector<Place> places_; ///< a power of two
  unsigned shift_ = 64;
  size_t size_ = 0;
};

/// Evaluated nodes.
class NodeValues {
public:
  explicit NodeValues(const ExpressionGraph &graph)
      : first_(static_cast<const LaneValues **>(
            calloc(graph.size() + 1, sizeof(const LaneValues *)))) {}

  /// A node's values; null: not evaluated yet. `key`: of the iterations of the
  /// loops that the node depends on (`Iterations::keyOf`).
  const LaneValues *known(ValueId id, uint64_t key) const {
    return key ? later_.at(id, key) : first_[id];
  }
  void keep(ValueId id, uint64_t key, const LaneValues *values) {
    if (key)
      later_.set(id, key, values);
    else
      first_[id] = values;
  }
  /// Memory for values, which are constructed before anything is destroyed.
  LaneValues *allocate() {
    ++size_;
    return values_.Allocate();
  }
  size_t size() const { return size_; } ///< how many were allocated

private:
  llvm::SpecificBumpPtrAllocator<LaneValues> values_;
  /// Values that depend on no loop or belong to first iterations, by node. The
  /// operating system clears a page when it is first touched, and one address
  /// of a long kernel touches few pages.
  struct Free {
    void operator()(const LaneValues **pointers) const { free(pointers); }
  };
  std::unique_ptr<const LaneValues *[], Free> first_;
  LaterValues later_;
  size_t size_ = 0;
};

/// Returns for each node if its value depends on which warp of a block
/// evaluates it.
std::vector<bool> differingByWarp(const Kernel &kernel);

} // namespace warplint
