// Evaluates a kernel's expressions in the 32 lanes of one warp.
#pragma once
#include "cost/evaluation.h"
#include "cost/iterations.h"
#include "cost/lane_values.h"
#include "cost/probe_values.h"
#include "cost/warp_place.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace warplint {

class Warp {
public:
  /// Warp `index` of block `block`, counted from the middle of the grid; in a
  /// grid of at most `fewBlocks`, from its start. `trial` selects the probe
  /// values (cost/probe_values.h).
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

  /// Calls `visit` for the iterations that `visitIterations` chooses
  /// (cost/visited_iterations.h): all, or two. Stops when it returns false.
  /// Returns true if iterations with fewer lanes were left out.
  bool forEachIteration(llvm::ArrayRef<LoopId> loops, ValueId guard,
                        llvm::function_ref<bool(const Iterations &)> visit);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace warplint
