#include "cost/walked_intervals.h"
#include "cost/comparison_sides.h"
#include "cost/conditions.h"
#include "model/float_operation.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

/// A value that does not move with the loop against one that does.
struct Bound {
  ValueId value, bound;
  bool isLower;
};

class Intervals {
public:
  Intervals(const Kernel &kernel, Warp &warp, LoopId loop)
      : graph_(kernel.graph), warp_(warp), loop_(loop) {
    next_[loop] = 1;
  }

  std::optional<Bound> boundIn(ValueId condition) const {
    const Node &node = graph_.node(condition);
    const bool isNot = node.op == Op::Xor &&
                       graph_.isConstant(graph_.operand(condition, 1), 1);
    const std::optional<Sides> sides =
        sidesOf(graph_, isNot ? graph_.operand(condition, 0) : condition);
    if (!sides || sides->isLess == sides->isGreater ||
        moves(sides->left) == moves(sides->right))
      return std::nullopt;
    const bool isLeftLess = sides->isLess != isNot;
    return moves(sides->left) ? Bound{sides->right, sides->left, isLeftLess}
                              : Bound{sides->left, sides->right, !isLeftLess};
  }

  /// Returns true if `later` is what `bound` is in the next iteration, of
  /// bounds that go one way: those that are loaded, or begin again, may pass a
  /// value many times.
  bool isNext(ValueId bound, ValueId later) {
    if (!goesOneWay(bound))
      return false;
    constexpr unsigned mostSteps = 200; // a bound is a short expression
    steps_ = mostSteps;
    return isFollowed(bound, later);
  }

private:
  bool moves(ValueId value) const {
    return graph_.loopsOf()[value] & ExpressionGraph::loopBit(loop_);
  }

  /// Returns true for what sums and products make of a counter.
  bool goesOneWay(ValueId bound) const {
    using Walk = ExpressionGraph::Walk;
    return graph_.walk(bound, [&](ValueId id) {
      const Node &node = graph_.node(id);
      if (!moves(id))
        return Walk::Past;
      if (node.op == Op::Carried)
        return node.number == loop_ && isStepped(id) ? Walk::Past : Walk::Stop;
      constexpr unsigned ofIndexes = 32; // narrower ones begin again
      const bool isSum = isLinear(node.op) && node.bits >= ofIndexes;
      return isSum || isFloatSum(id) ? Walk::Into : Walk::Stop;
    });
  }

  /// Returns true if each iteration adds the same.
  bool isStepped(ValueId carried) const {
    const ValueId next = graph_.operand(carried, 1);
    const Op op = graph_.node(next).op;
    const bool isSum = op == Op::Add || op == Op::Subtract || isFloatSum(next);
    return isSum && graph_.operand(next, 0) == carried &&
           !moves(graph_.operand(next, 1));
  }

  bool isFloatSum(ValueId id) const {
    if (graph_.node(id).op != Op::Opaque)
      return false;
    using Kind = FloatOperation::Kind;
    const auto operation = floatOperation(graph_.text(id));
    return operation &&
           llvm::is_contained({Kind::Add, Kind::Subtract, Kind::Multiply,
                               Kind::Negate, Kind::Fused, Kind::FromSigned,
                               Kind::FromUnsigned, Kind::Resize},
                              operation->kind);
  }

  bool isFollowed(ValueId bound, ValueId later) {
    if (!steps_ || !--steps_)
      return false;
    if (bound == later && !moves(bound))
      return true;
    const Node &node = graph_.node(bound), &other = graph_.node(later);
    if (node.op == Op::Carried && node.number == loop_)
      return graph_.operand(bound, 1) == later || areEqual(bound, later);
    if (areEqual(bound, later))
      return true;
    if (node.op != other.op || node.bits != other.bits || !node.count ||
        node.count != other.count || node.op == Op::Carried)
      return false;
    return node.number == other.number &&
           llvm::all_of(
               llvm::zip(graph_.operands(bound), graph_.operands(later)),
               [&](auto pair) {
                 return isFollowed(std::get<0>(pair), std::get<1>(pair));
               });
  }

  /// Returns true if the numbers are known to be equal.
  bool areEqual(ValueId bound, ValueId later) {
    const LaneValues a = warp_.evaluate(bound, next_);
    const LaneValues &b = warp_.evaluate(later, Iterations());
    const uint32_t lanes = warp_.lanes();
    if ((a.unknown | b.unknown) & lanes)
      return false;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if ((lanes >> lane & 1) && a.value[lane] != b.value[lane])
        return false;
    return true;
  }

  const ExpressionGraph &graph_;
  Warp &warp_;
  const LoopId loop_;
  Iterations next_;
  unsigned steps_ = 0;
};

} // namespace

std::optional<ValueId> valueInIntervals(const Kernel &kernel, Warp &warp,
                                        LoopId loop,
                                        llvm::ArrayRef<ValueId> conditions) {
  Intervals intervals(kernel, warp, loop);
  std::vector<Bound> lower, upper;
  for (ValueId condition : withEntries(kernel.graph, loop, conditions))
    if (const auto bound = intervals.boundIn(condition))
      (bound->isLower ? lower : upper).push_back(*bound);
  for (const Bound &low : lower)
    for (const Bound &high : upper)
      if (low.value == high.value &&
          (warp.evaluate(low.value, Iterations()).unknown & warp.lanes()) &&
          // Of rising bounds, or of falling ones.
          (intervals.isNext(low.bound, high.bound) ||
           intervals.isNext(high.bound, low.bound)))
        return low.value;
  return std::nullopt;
}

} // namespace warplint
