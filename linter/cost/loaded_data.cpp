#include "cost/loaded_data.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// Returns true if `address` lies in arguments or constant memory.
bool isArgument(const Kernel &kernel, ValueId address) {
  bool found = false;
  const bool onlyArguments = kernel.graph.walk(address, [&](ValueId id) {
    const Node &node = kernel.graph.node(id);
    if (node.op == Op::Base) {
      Space space = kernel.objects[node.number].space;
      if (space != Space::Parameter && space != Space::Constant)
        return Walk::Stop;
      found = true;
    }
    // The memory that an argument points to is no argument.
    return node.op == Op::Loaded && node.pointer ? Walk::Stop : Walk::Into;
  });
  return onlyArguments && found;
}

/// Returns true if `value` depends on a load for which `isWanted` is true.
bool dependsOn(const Kernel &kernel, ValueId value,
               llvm::function_ref<bool(ValueId)> isWanted) {
  const ExpressionGraph &graph = kernel.graph;
  llvm::SmallVector<ValueId, 8> roots{value};
  llvm::DenseSet<ValueId> seen;
  auto visit = [&](ValueId id) {
    const Node &node = graph.node(id);
    switch (node.op) {
    case Op::Loaded:
      return isWanted(id) && !isArgument(kernel, graph.operand(id, 0))
                 ? Walk::Stop
                 : Walk::Into;
    case Op::Varying:
      // Other varying values need not be of memory.
      return isResultOfAtomic(graph, id) ? Walk::Stop : Walk::Into;
    case Op::Final:
    case Op::Ever:
      // Loaded data may set the loop's number of iterations.
      if (node.number < kernel.loops.size()) {
        roots.push_back(kernel.loops[node.number].enters);
        roots.push_back(kernel.loops[node.number].continues);
      }
      return Walk::Into;
    default:
      return Walk::Into;
    }
  };
  while (!roots.empty())
    if (!graph.walk(roots.pop_back_val(), seen, visit))
      return true;
  return false;
}

} // namespace

bool isResultOfAtomic(const ExpressionGraph &graph, ValueId value) {
  return graph.node(value).op == Op::Varying &&
         graph.text(value) == "the result of an atomic";
}

bool dependsOnLoadedData(const Kernel &kernel, ValueId value) {
  return dependsOn(kernel, value, [](ValueId) { return true; });
}

bool dependsOnDataOfIteration(const Kernel &kernel, ValueId value,
                              LoopId loop) {
  return dependsOn(kernel, value, [&](ValueId load) {
    return (kernel.graph.loopsOf()[load] & ExpressionGraph::loopBit(loop)) != 0;
  });
}

bool isSelectedByData(const Kernel &kernel, const Access &access, LoopId loop) {
  return dependsOnDataOfIteration(kernel, access.guard, loop) &&
         !dependsOnDataOfIteration(kernel, kernel.loops[loop].continues, loop);
}

} // namespace warplint
