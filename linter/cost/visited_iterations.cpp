#include "cost/visited_iterations.h"

namespace warplint {

namespace {

class IterationVisit {
public:
  IterationVisit(
      const Evaluation &evaluation, ValueId guard,
      llvm::function_ref<MayHold(ValueId, const Iterations &)> mayHold,
      llvm::function_ref<bool(const Iterations &)> visit)
      : evaluation_(evaluation), loops_(evaluation.kernel.loops), guard_(guard),
        mayHold_(mayHold), visit_(visit) {}

  bool run(llvm::ArrayRef<LoopId> loops, Iterations &iterations) {
    if (loops.empty()) {
      if (left_ == 0)
        return false;
      --left_;
      return visit_(iterations);
    }
    LoopId id = loops.front();
    const Loop &loop = loops_[id];
    const unsigned start = lastOfFewerLanes(id, iterations);
    leavesOut |= start > 0;
    for (unsigned iteration = start; iteration < iterationsFollowed;
         ++iteration) {
      iterations[id] = iteration ? iteration - 1 : 0;
      MayHold may =
          mayHold_(iteration ? loop.continues : loop.enters, iterations);
      if (!may.lanes)
        break;
      iterations[id] = iteration;
      if (!run(loops.drop_front(), iterations))
        return false;
      // A known trip count determines the iterations, whatever guards the loops
      // around.
      if (iteration > start && !may.sure && !loop.tripCount)
        break;
    }
    iterations[id] = 0;
    return true;
  }

  bool leavesOut = false; ///< iterations in which fewer lanes pass the guard

private:
  /// The iteration of a loop of unknown length before which each one has more
  /// lanes that pass the guard than the one before, and after which they stay
  /// the same; 0 if there is none.
  unsigned lastOfFewerLanes(LoopId id, Iterations &iterations) {
    if (loops_[id].tripCount ||
        !(evaluation_.loopsOf(guard_) & ExpressionGraph::loopBit(id)) ||
        mayHold_(loops_[id].continues, iterations).sure)
      return 0;
    unsigned last = 0;
    uint32_t before = mayHold_(guard_, iterations).lanes;
    for (unsigned iteration = 1; iteration < iterationsFollowed; ++iteration) {
      iterations[id] = iteration;
      const uint32_t lanes = mayHold_(guard_, iterations).lanes;
      if (lanes == before)
        last = iteration - 1;
      if (lanes == before || (lanes & before) != before)
        break;
      before = lanes;
    }
    iterations[id] = 0;
    return last;
  }

  const Evaluation &evaluation_;
  llvm::ArrayRef<Loop> loops_;
  const ValueId guard_;
  llvm::function_ref<MayHold(ValueId, const Iterations &)> mayHold_;
  llvm::function_ref<bool(const Iterations &)> visit_;
  /// Limits the iterations of a nest: they give averages.
  unsigned left_ = 256;
};

} // namespace

bool visitIterations(
    const Evaluation &evaluation, llvm::ArrayRef<LoopId> loops, ValueId guard,
    llvm::function_ref<MayHold(ValueId, const Iterations &)> mayHold,
    llvm::function_ref<bool(const Iterations &)> visit) {
  Iterations iterations;
  IterationVisit nest(evaluation, guard, mayHold, visit);
  nest.run(loops, iterations);
  return nest.leavesOut;
}

} // namespace warplint
