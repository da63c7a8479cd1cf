#include "cost/shut_out.h"
#include "cost/conditions.h"
#include "cost/loop_bound.h"
#include "cost/warp.h"
#include "model/argument_bytes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

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

/// The entries of which one launch in the source, of a loop or with conditions
/// around it, passes several values: the launches of the model have a few of
/// them.
std::set<uint64_t> entriesWithOthers(const Kernel &kernel) {
  std::map<std::pair<Place, uint64_t>, uint64_t> passed;
  std::set<uint64_t> entries;
  for (const KernelShape &shape : kernel.shapes)
    for (const Launched &launch : shape.launches)
      for (uint64_t i = 0; i < launch.arguments.size(); ++i)
        if (const std::optional<uint64_t> value = launch.arguments[i];
            value &&
            passed.try_emplace({launch.place, i}, *value).first->second !=
                *value)
          entries.insert(i);
  return entries;
}

} // namespace

const std::set<uint64_t> &ShutOut::others() {
  if (!others_)
    // A block without launches is asked for what one launch alone passes.
    others_ = shape_.launches.empty() ? std::set<uint64_t>()
                                      : entriesWithOthers(evaluation_.kernel);
  return *others_;
}

/// Returns true if a value is the same for all threads of a launch, and in each
/// iteration, or in the first one of the loop that it ends. A block that is
/// assumed says nothing, nor does what is only the common case or an end of a
/// range.
bool ShutOut::isOfLaunch(ValueId value, std::optional<LoopId> ended) {
  using Walk = ExpressionGraph::Walk;
  const Kernel &kernel = evaluation_.kernel;
  const ExpressionGraph &graph = kernel.graph;
  return graph.walk(value, [&](ValueId id) {
    if (isOfEnd(evaluation_.launches.front(), graph, id))
      return Walk::Stop;
    switch (graph.node(id).op) {
    case Op::ThreadIndex:
    case Op::BlockIndex:
    case Op::Lane:
    case Op::Forwarded:
    case Op::Usually:
    case Op::Varying:
      return Walk::Stop;
    case Op::Parameter:
      return !graph.operands(id).empty() &&
                     others().contains(graph.node(graph.operand(id, 0)).number)
                 ? Walk::Stop
                 : Walk::Past;
    case Op::BlockSize:
      return shape_.source == ShapeSource::Launch ? Walk::Into : Walk::Stop;
    case Op::Loaded:
      return isOfArguments(kernel, id) && others().empty() ? Walk::Past
                                                           : Walk::Stop;
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
