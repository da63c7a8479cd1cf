// A kernel's expressions as the 32 lanes of one warp compute them.
#pragma once
#include "model/model.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <deque>
#include <memory>

namespace warplint {

constexpr unsigned warpSize = 32;

/// Every object has a range of addresses of its own, so that an address tells
/// what it points into. Shared memory is addressed with 32 bits, so its objects
/// have the ranges below 2^32.
constexpr unsigned objectRangeBits = 40, sharedRangeBits = 24;

/// The first address of the range that `address` lies in: the same for all
/// addresses in one object, and for no others.
constexpr uint64_t rangeOf(uint64_t address) {
  unsigned bits = address >> 32 ? objectRangeBits : sharedRangeBits;
  return address >> bits << bits;
}

/// In place of a node: the expression is too long or too deep to follow.
constexpr ValueId tooLong = ~ValueId(0);

/// One value as the 32 lanes of a warp have it.
struct LaneValues {
  std::array<uint64_t, warpSize> value{};
  uint32_t unknown = 0; ///< lanes whose value cannot be known
  bool uniform = false; ///< where unknown, the same in all lanes all the same
  bool votes = false;   ///< where unknown: bits of a ballot, no number
  bool assumed = false; ///< probe values went into it
  ValueId why = 0;      ///< the node that makes it unknown, if it is; tooLong

  /// The same in all lanes, known or not.
  bool isUniform() const;
};

/// The iteration that each loop is in, by LoopId.
using Iterations = llvm::SmallVector<uint8_t, 32>;

/// Loops are followed for this many iterations; what a longer loop leaves
/// behind is assumed to look like one of the later iterations that were
/// followed.
constexpr unsigned iterationsFollowed = 48;

/// What all warps of a kernel share.
class Evaluation {
public:
  explicit Evaluation(const Kernel &kernel,
                      llvm::ArrayRef<Launched> launches = {})
      : kernel(kernel), launches(launches), loopsOf(kernel.graph.loopsOf()) {}
  const Kernel &kernel;
  /// What is known of arguments and grids; each trial takes another.
  const llvm::ArrayRef<Launched> launches;
  const std::vector<uint64_t> loopsOf;
  /// Node evaluations left before everything else becomes unknown: a kernel of
  /// some thousand lines stays below it, a pathological one must not hang us.
  long budget = 6'000'000;
  /// What loaded pointers point to, each with an address range of its own: in
  /// all warps the same, so that their addresses can be compared.
  std::deque<Object> found;
  llvm::DenseMap<uint64_t, unsigned> foundBy;
};

class Warp {
public:
  /// Warp `index` of block `block` (counted from a block in the middle of the
  /// grid; of a grid of no more than `fewBlocks`, that block). `trial` numbers
  /// the probe values: 0 are large and aligned, 1 large multiples of 32, 2
  /// odd, 3 small.
  Warp(Evaluation &evaluation, Shape shape, unsigned index, unsigned block,
       unsigned trial);
  ~Warp();

  const LaneValues &evaluate(ValueId value, const Iterations &iterations);
  /// Lanes for which the condition may hold, of those that exist.
  uint32_t may(ValueId condition, const Iterations &iterations);
  /// From now on no condition is decided by probe values: it may hold, and
  /// may not.
  void doubt();
  uint32_t lanes() const; ///< those that exist: the last warp may be partial

  /// The object that an evaluated address points into; null if it is none.
  const Object *objectAt(uint64_t address) const;

  /// Calls `visit` for the iterations of `loops` (outermost first) that this
  /// warp takes: all of them where the course of the loops is known and short,
  /// else the first and the next. Stops when `visit` says false.
  void forEachIteration(llvm::ArrayRef<LoopId> loops,
                        llvm::function_ref<bool(const Iterations &)> visit);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A grid of up to so many blocks is looked at whole.
constexpr unsigned fewBlocks = 4;

constexpr unsigned smallSizes = 3; ///< the trial in which they are small

} // namespace warplint
