#include "cost/divergence.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <optional>

namespace warplint {

namespace {

/// The count of `tid % 4 == 0`: one lane, three others, eight times.
constexpr unsigned alternatingChanges = 15;

class DivergenceReader {
public:
  DivergenceReader(const Kernel &kernel, Shape shape, const Branch &branch)
      : shape_(shape), branch_(branch), evaluation_(kernel) {}

  /// If `matched`, an argument that the condition compares with has the value
  /// of the first lane, such as a colour, instead of a probe value.
  Divergence read(unsigned trial, bool matched) {
    times_ = issued_ = wasted_ = 0;
    equality_ = matched ? equality() : std::nullopt;
    Divergence result;
    if (matched && !equality_)
      return result;
    result.share.assign(branch_.sides.size(), 0);
    result.known = true;
    unsigned warps = std::min<uint64_t>(32, shape_.warps());
    const Warp any(evaluation_, shape_, 0, 0, trial);
    for (unsigned index = 0; index < warps && result.known; ++index) {
      Warp warp(any, index);
      std::vector<uint32_t> before;
      warp.forEachIteration(
          branch_.loops, branch_.guard, [&](const Iterations &iterations) {
            return readIteration(warp, iterations, before, result);
          });
    }
    result.known &= times_ > 0;
    if (!result.known)
      return result;
    for (double &share : result.share)
      share = result.split ? share / result.split : 0;
    result.lanes /= times_;
    result.split /= times_;
    result.alternating /= times_;
    result.waste = issued_ ? wasted_ / issued_ : 0;
    return result;
  }

private:
  /// Returns false if the side of a lane cannot be known.
  bool readIteration(Warp &warp, const Iterations &iterations,
                     std::vector<uint32_t> &before, Divergence &result) {
    uint32_t active = warp.may(branch_.guard, iterations);
    if (!active)
      return true;
    std::vector<uint32_t> masks;
    if (equality_) {
      std::optional<uint32_t> equal = matching(warp, iterations, active);
      if (!equal)
        return result.known = false;
      masks = {*equal, active & ~*equal};
      if (equality_->side == 1)
        std::swap(masks[0], masks[1]);
    } else {
      for (const Side &side : branch_.sides) {
        if (warp.evaluate(side.taken, iterations).unknown & active)
          return result.known = false;
        masks.push_back(warp.may(side.taken, iterations) & active);
      }
    }
    unsigned ways =
        llvm::count_if(masks, [](uint32_t mask) { return mask != 0; });
    double all = llvm::popcount(active), issued = 0, needed = 0;
    for (auto [side, mask] : llvm::zip(branch_.sides, masks)) {
      issued += mask ? side.work : 0;
      needed += side.work * llvm::popcount(mask) / all;
    }
    ++times_;
    result.lanes += all;
    issued_ += issued;
    if (!before.empty() && before != masks)
      result.changesWithLoop = true;
    before = masks;
    if (ways < 2)
      return true;
    wasted_ += issued - needed;
    ++result.split;
    result.alternating += changes(masks, active) >= alternatingChanges;
    for (size_t i = 0; i < masks.size(); ++i)
      result.share[i] += llvm::popcount(masks[i]);
    if (result.example.empty())
      result.example = masks;
    return true;
  }

  /// Counts the lanes that take another side than the lane before them.
  static unsigned changes(const std::vector<uint32_t> &masks, uint32_t active) {
    unsigned count = 0, last = ~0u;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if (!(active >> lane & 1))
        continue;
      for (unsigned side = 0; side < masks.size(); ++side)
        if (masks[side] >> lane & 1) {
          count += last != ~0u && last != side;
          last = side;
        }
    }
    return count;
  }

  /// A value that must equal an unknown one for a thread to take `side`.
  struct Equality {
    unsigned side;
    ValueId lanes;
  };

  std::optional<Equality> equality() {
    if (branch_.sides.size() != 2)
      return std::nullopt;
    for (unsigned side : {0u, 1u})
      if (std::optional<Equality> found = equalityFor(side))
        return found;
    return std::nullopt;
  }

  /// Looks in the conjunction under which a thread takes `side`.
  std::optional<Equality> equalityFor(unsigned side) {
    using Walk = ExpressionGraph::Walk;
    const ExpressionGraph &graph = evaluation_.kernel.graph;
    std::optional<Equality> found;
    graph.walk(branch_.sides[side].taken, [&](ValueId id) {
      const Op op = graph.node(id).op;
      if (op == Op::And)
        return Walk::Into;
      if (op != Op::Equal && op != Op::NotEqual)
        return Walk::Past;
      const ValueId left = graph.operand(id, 0), right = graph.operand(id, 1);
      Warp warp(evaluation_, shape_, 0, 0, 0);
      Iterations iterations;
      bool first = warp.evaluate(left, iterations).isUniform();
      bool second = warp.evaluate(right, iterations).isUniform();
      ValueId unknown = first ? left : right;
      if (first == second || !warp.evaluate(unknown, iterations).assumed)
        return Walk::Past;
      found = Equality{op == Op::Equal ? side : 1 - side, first ? right : left};
      return Walk::Stop;
    });
    return found;
  }

  /// The lanes that have the first lane's value, if the values are few.
  std::optional<uint32_t> matching(Warp &warp, const Iterations &iterations,
                                   uint32_t active) {
    constexpr size_t few = 4;
    const LaneValues &lanes = warp.evaluate(equality_->lanes, iterations);
    if (lanes.unknown & active)
      return std::nullopt;
    unsigned first = llvm::countr_zero(active);
    uint32_t equal = 0;
    llvm::SmallDenseSet<uint64_t, 8> values;
    for (unsigned lane = first; lane < warpSize; ++lane)
      if (active >> lane & 1) {
        values.insert(lanes.value[lane]);
        equal |= uint32_t(lanes.value[lane] == lanes.value[first]) << lane;
      }
    return values.size() <= few ? std::optional(equal) : std::nullopt;
  }

  Shape shape_;
  const Branch &branch_;
  Evaluation evaluation_;
  std::optional<Equality> equality_;
  double times_ = 0, issued_ = 0, wasted_ = 0;
};

} // namespace

namespace {

/// The least waste over several trials, so that a coincidence of probe values
/// does not count as divergence.
Divergence mildest(DivergenceReader &reader, bool matched) {
  Divergence result;
  for (unsigned trial = 0; trial < 3; ++trial) {
    Divergence here = reader.read(trial, matched);
    if (!here.known)
      return {};
    if (trial == 0 || here.waste < result.waste)
      result = std::move(here);
  }
  return result;
}

} // namespace

Divergence divergence(const Kernel &kernel, Shape shape, const Branch &branch) {
  DivergenceReader reader(kernel, shape, branch);
  Divergence plain = mildest(reader, /*matched=*/false);
  if (!plain.known || plain.split)
    return plain;
  Divergence matched = mildest(reader, /*matched=*/true);
  return matched.known ? matched : plain;
}

} // namespace warplint
