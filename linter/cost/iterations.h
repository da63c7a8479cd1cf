// In which iteration of each loop a value is asked for.
#pragma once
#include "cost/mix.h"
#include "model/expression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <initializer_list>

namespace warplint {

/// The current iteration of each loop, by LoopId: the first one of those that
/// were not set. A kernel may have hundreds of loops, and an expression is
/// evaluated in later iterations of a few.
class Iterations {
public:
  Iterations() = default;
  /// Of the loops with the first ids, in their order.
  Iterations(std::initializer_list<uint8_t> iterations) {
    for (uint8_t iteration : iterations)
      set_.push_back({LoopId(set_.size()), iteration});
  }
  uint8_t operator[](LoopId loop) const {
    for (const auto &[id, iteration] : set_)
      if (id == loop)
        return iteration;
    return 0;
  }
  uint8_t &operator[](LoopId loop) {
    for (auto &[id, iteration] : set_)
      if (id == loop)
        return iteration;
    return set_.emplace_back(loop, 0).second;
  }
  bool operator==(const Iterations &other) const {
    return holds(other) && other.holds(*this);
  }
  /// The loops that were set, with their iterations.
  auto begin() const { return set_.begin(); }
  auto end() const { return set_.end(); }

  /// Hashes the iterations of `loops`, a set as of `ExpressionGraph::loopBit`,
  /// since those of many loops do not fit into one number. First iterations add
  /// nothing.
  uint64_t keyOf(uint64_t loops) const {
    uint64_t key = 0;
    if (loops)
      for (const auto &[loop, iteration] : set_)
        if (iteration && (loops & ExpressionGraph::loopBit(loop)))
          key += mix(uint64_t(loop + 1) << 8 | iteration);
    return key;
  }

private:
  bool holds(const Iterations &other) const {
    return llvm::all_of(other, [&](const auto &loop) {
      return (*this)[loop.first] == loop.second;
    });
  }
  llvm::SmallVector<std::pair<LoopId, uint8_t>, 4> set_;
};

/// Loops are evaluated for this many iterations. The final values of a longer
/// loop are assumed to equal those of a late evaluated iteration.
constexpr unsigned iterationsFollowed = 48;

} // namespace warplint
