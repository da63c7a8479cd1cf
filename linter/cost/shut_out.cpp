#include "cost/shut_out.h"
#include "cost/conditions.h"
#include "cost/loop_bound.h"
#include "cost/warp.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

/// Adds the conditions that end a loop of those around some code: each holds in
/// its first iteration, or in none.
void addEnds(const Kernel &kernel, llvm::ArrayRef<LoopId> loops,
             llvm::DenseMap<ValueId, LoopId> &ends) {
  for (LoopId loop : loops) {
    std::vector<ValueId> conditions;
    addConditions(kernel.graph, kernel.loops[loop].continues, conditions);
    for (ValueId condition : conditions)
      ends.try_emplace(condition, loop);
  }
}

} // namespace

/// Returns true if a value is the same for all threads of a launch, and in each
/// iteration, or in the first one of the loop that it ends. A block that is
/// assumed says nothing, nor does what is only the common case.
bool ShutOut::isOfLaunch(ValueId value, std::optional<LoopId> ended) const {
  using Walk = ExpressionGraph::Walk;
  const ExpressionGraph &graph = evaluation_.kernel.graph;
  return graph.walk(value, [&](ValueId id) {
    switch (graph.node(id).op) {
    case Op::ThreadIndex:
    case Op::BlockIndex:
    case Op::Lane:
    case Op::Forwarded:
    case Op::Usually:
    case Op::Varying:
      return Walk::Stop;
    case Op::BlockSize:
      return shape_.source == ShapeSource::Launch ? Walk::Into : Walk::Stop;
    case Op::Loaded:
      return isOfArguments(evaluation_.kernel, id) ? Walk::Past : Walk::Stop;
    case Op::Carried:
      return graph.node(id).number == ended &&
                     isOfLaunch(graph.operand(id, 0), std::nullopt)
                 ? Walk::Past
                 : Walk::Stop;
    default:
      return Walk::Into;
    }
  });
}

bool ShutOut::isShutOut(llvm::ArrayRef<LoopId> loops, ValueId guard) {
  if (evaluation_.launches.empty())
    return false;
  const Kernel &kernel = evaluation_.kernel;
  std::vector<ValueId> conditions;
  llvm::DenseMap<ValueId, LoopId> ends;
  addConditions(kernel.graph, guard, conditions);
  addEnds(kernel, loops, ends);
  for (LoopId loop : loops)
    addConditions(kernel.graph, kernel.loops[loop].enters, conditions);
  std::optional<Warp> warp;
  auto holdsForNone = [&](ValueId condition) {
    const auto end = ends.find(condition);
    if (!isOfLaunch(condition, end == ends.end() ? std::nullopt
                                                 : std::optional(end->second)))
      return false;
    if (!warp) {
      warp.emplace(evaluation_, shape_.shape, 0, 0, 0);
      warp->doubt();
    }
    return !warp->may(condition, {});
  };
  return llvm::any_of(conditions, [&](ValueId condition) {
    auto [known, isNew] = never_.try_emplace(condition);
    if (isNew)
      known->second = holdsForNone(condition);
    return known->second;
  });
}

} // namespace warplint
