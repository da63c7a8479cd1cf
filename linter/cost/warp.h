// Evaluates a kernel's expressions in the 32 lanes of one warp.
#pragma once
#include "cost/size_limits.h"
#include "model/model.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>

namespace warplint {

constexpr unsigned warpSize = 32;

/// Each object has its own address range, so that an address identifies its
/// object. Shared memory has 32-bit addresses, so its objects have the ranges
/// below 2^32.
constexpr unsigned objectRangeBits = 40, sharedRangeBits = 24;

/// The first address of the range that contains `address`; identifies the
/// object.
constexpr uint64_t rangeOf(uint64_t address) {
  unsigned bits = address >> 32 ? objectRangeBits : sharedRangeBits;
  return address >> bits << bits;
}

/// Stands for a node: the expression is too long or too deep to evaluate.
constexpr ValueId tooLong = ~ValueId(0);

/// Objects begin in the middle of their range, so that it contains a[i - 1].
constexpr uint64_t middleOfRange(unsigned rangeBits) {
  return uint64_t(1) << (rangeBits - 1);
}

/// The bytes from the first one of its object to `address`.
constexpr int64_t offsetInObject(uint64_t address) {
  return int64_t(
      address - rangeOf(address) -
      middleOfRange(address >> 32 ? objectRangeBits : sharedRangeBits));
}

/// The values of one expression in the 32 lanes of a warp.
struct LaneValues {
  std::array<uint64_t, warpSize> value{};
  uint32_t unknown = 0; ///< lanes whose value is unknown
  bool uniform = false; ///< unknown, but the same in all lanes
  bool votes = false;   ///< unknown bits of a ballot, not a number
  bool assumed = false; ///< depends on probe values
  ValueId why = 0;      ///< the node that makes it unknown, if it is; tooLong

  /// Returns true if all lanes have the same value, known or not.
  bool isUniform() const;
};

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

/// The state that all warps of a kernel share.
class Evaluation {
public:
  explicit Evaluation(const Kernel &kernel,
                      llvm::ArrayRef<Launched> launches = {})
      : kernel(kernel), launches(launches),
        loops_(kernel.loops.empty()
                   ? llvm::ArrayRef<uint64_t>()
                   : llvm::ArrayRef<uint64_t>(kernel.graph.loopsOf())),
        budget(std::max<long>(smallestBudget,
                              evaluationsPerNode * kernel.graph.size())) {}
  const Kernel &kernel;
  /// Known arguments and grids; each trial uses another launch.
  const llvm::ArrayRef<Launched> launches;
  /// The loops that a node depends on, as bits.
  uint64_t loopsOf(ValueId id) const { return loops_.empty() ? 0 : loops_[id]; }
  /// The objects that loaded pointers point to, each with its own address
  /// range: the same in all warps, so that addresses can be compared.
  std::deque<Object> found;
  llvm::DenseMap<uint64_t, unsigned> foundBy;
  /// The bits of the probe values of a size.
  unsigned bitsOf(ValueId size) {
    if (!limits_)
      limits_ = sizeLimits(kernel.graph);
    auto limit = limits_->find(sizeKey(kernel.graph, size));
    return limit == limits_->end() ? usualSizeBits : limit->second;
  }

private:
  std::optional<SizeLimits> limits_; ///< none: not asked for
  /// Without loops, each warp of each block and trial evaluates a node once.
  static constexpr long smallestBudget = 6'000'000, evaluationsPerNode = 512;
  const llvm::ArrayRef<uint64_t> loops_;

public:
  /// Node evaluations left; at 0 all other nodes become unknown. Nested loops
  /// alone need more; the limit ends pathological ones.
  long budget;
};

/// A block's index along x, y and z.
using BlockPlace = std::array<uint64_t, 3>;

class Warp {
public:
  /// Warp `index` of block `block`, counted from the middle of the grid; in a
  /// grid of at most `fewBlocks`, from its start. `trial` selects the probe
  /// values: 0 large and aligned, 1 large multiples of 32, 2 odd, 3 small, 4
  /// ones, and from `firstChoice` on (cost/choices.h) those of options.
  Warp(Evaluation &evaluation, Shape shape, unsigned index, unsigned block,
       unsigned trial);
  /// The same warp of another block.
  Warp(const Warp &of, const BlockPlace &block);
  /// Another warp of the same block, or the same one once more. What does not
  /// depend on the warp is evaluated once for all warps that are made from `of`
  /// and for `of` from then on: most conditions and sizes do not.
  Warp(const Warp &of, unsigned index);
  ~Warp();

  const LaneValues &evaluate(ValueId value, const Iterations &iterations);
  /// The existing lanes for which the condition may hold.
  uint32_t may(ValueId condition, const Iterations &iterations);
  /// Those for which it holds, whatever is unknown.
  uint32_t must(ValueId condition, const Iterations &iterations);
  /// From now on, conditions that depend on probe values are unknown. Comes
  /// before all other warps that are made from this one.
  void doubt();
  bool doubts() const;
  /// From now on, it is a warp of this block, and not one of any block. Comes
  /// before all evaluations, and all other warps that are made from this one.
  void pin(const BlockPlace &block);
  uint32_t lanes() const; ///< existing lanes: the last warp may be partial
  const BlockPlace &block() const;

  /// The object at an evaluated address; null if there is none.
  const Object *objectAt(uint64_t address) const;

  /// Calls `visit` for the iterations of `loops` (outermost first) that this
  /// warp executes: all of them if the loops are known and short, else two: the
  /// first ones, or, where more lanes pass `guard` in each iteration, such as
  /// `step - threadIdx.x >= 0`, the first ones with all that will. Stops when
  /// `visit` returns false. Returns true if it left out iterations with fewer
  /// lanes.
  bool forEachIteration(llvm::ArrayRef<LoopId> loops, ValueId guard,
                        llvm::function_ref<bool(const Iterations &)> visit);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A grid of up to this many blocks is evaluated whole.
constexpr unsigned fewBlocks = 4;

constexpr unsigned oddSizes = 2;   ///< the trial with odd probe values
constexpr unsigned smallSizes = 3; ///< the trial with small probe values
constexpr unsigned unitSizes = 4;  ///< the trial in which all of them are 1

} // namespace warplint
