#include "cost/repeats.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// Finds what has another value in each iteration of a loop.
class Counters {
public:
  Counters(const Kernel &kernel, LoopId loop)
      : graph_(kernel.graph), loops_(graph_.loopsOf()), loop_(loop) {}

  bool isInvariant(ValueId id) const {
    return !(loops_[id] & ExpressionGraph::loopBit(loop_));
  }

  /// Returns true for the loop's counter, and for what is linear in it.
  bool isCounter(ValueId id) const {
    const Node &node = graph_.node(id);
    const llvm::ArrayRef<ValueId> operands = graph_.operands(id);
    switch (node.op) {
    case Op::Carried: {
      const ValueId next = operands[1];
      const Node &step = graph_.node(next);
      return node.number == loop_ && step.op == Op::Add &&
             ((graph_.operand(next, 0) == id &&
               isInvariant(graph_.operand(next, 1))) ||
              (graph_.operand(next, 1) == id &&
               isInvariant(graph_.operand(next, 0))));
    }
    case Op::SignExtend:
    case Op::Resize:
      return node.bits >= 32 && isCounter(operands[0]);
    case Op::Add:
    case Op::Subtract:
      return (isInvariant(operands[0]) && isCounter(operands[1])) ||
             (isInvariant(operands[1]) && isCounter(operands[0]));
    default:
      return false;
    }
  }

private:
  const ExpressionGraph &graph_;
  const std::vector<uint64_t> &loops_;
  LoopId loop_;
};

/// Returns true if the condition holds in one iteration of the loop at most:
/// `k == n - 1`.
bool holdsOnce(const Kernel &kernel, ValueId condition, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  const Counters counters(kernel, loop);
  return !graph.walk(condition, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (node.op == Op::And)
      return Walk::Into;
    ValueId term = id;
    Op equal = Op::Equal;
    if (node.op == Op::Xor && graph.isConstant(graph.operand(id, 1), 1)) {
      term = graph.operand(id, 0);
      equal = Op::NotEqual;
    }
    if (graph.node(term).op != equal)
      return Walk::Past;
    const ValueId left = graph.operand(term, 0), right = graph.operand(term, 1);
    return (counters.isCounter(left) && counters.isInvariant(right)) ||
                   (counters.isCounter(right) && counters.isInvariant(left))
               ? Walk::Stop
               : Walk::Past;
  });
}

} // namespace

bool comesAgain(const CostedKernel &costed, const Access &access, LoopId loop) {
  if (holdsOnce(costed.kernel, access.guard, loop))
    return false;
  Evaluation evaluation(costed.kernel);
  Shape shape = costed.shapes.front().shape.shape;
  unsigned warps = shape.warps();
  bool reached = false;
  // A condition such as 'i > k' may fail with large arguments and hold with
  // small ones.
  for (unsigned trial : {0u, smallSizes})
    for (unsigned index = 0; index < warps; ++index) {
      Warp warp(evaluation, shape, index, 0, trial);
      for (uint8_t iteration = 0; iteration < 8; ++iteration) {
        Iterations iterations;
        iterations[loop] = iteration;
        uint32_t now = warp.may(access.guard, iterations);
        iterations[loop] = iteration + 1;
        if (now & warp.may(access.guard, iterations))
          return true;
        reached |= now != 0;
      }
    }
  // If no thread of this block executes it, threads of other blocks do.
  return !reached;
}

} // namespace warplint
