#include "cost/loaded_data.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

namespace {

/// Whether what lies at `address` is the launch's: an argument, a constant.
bool isArgument(const Kernel &kernel, ValueId address) {
  const ExpressionGraph &graph = kernel.graph;
  llvm::SmallVector<ValueId, 8> work{address};
  llvm::DenseSet<ValueId> seen;
  bool found = false;
  while (!work.empty()) {
    ValueId id = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    const Node &node = graph.node(id);
    if (node.op == Op::Base) {
      Space space = kernel.objects[node.number].space;
      if (space != Space::Parameter && space != Space::Constant)
        return false;
      found = true;
    }
    if (node.op == Op::Loaded && node.pointer)
      return false; // what an argument points to
    llvm::append_range(work, graph.operands(id));
  }
  return found;
}

/// `isWanted`: of a load whether it counts.
bool dependsOn(const Kernel &kernel, ValueId value,
               llvm::function_ref<bool(ValueId)> isWanted) {
  const ExpressionGraph &graph = kernel.graph;
  llvm::SmallVector<ValueId, 32> work{value};
  llvm::DenseSet<ValueId> seen;
  while (!work.empty()) {
    ValueId id = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    const Node &node = graph.node(id);
    switch (node.op) {
    case Op::Loaded:
      if (isWanted(id) && !isArgument(kernel, graph.operand(id, 0)))
        return true;
      break;
    case Op::Varying:
      // Atomics give out what memory holds; nothing else is memory's for sure.
      if (graph.text(id) == "the result of an atomic")
        return true;
      break;
    case Op::Final:
    case Op::Ever:
      // How often a loop runs may be written in memory as well.
      if (node.number < kernel.loops.size()) {
        work.push_back(kernel.loops[node.number].enters);
        work.push_back(kernel.loops[node.number].continues);
      }
      break;
    default:
      break;
    }
    llvm::append_range(work, graph.operands(id));
  }
  return false;
}

} // namespace

bool dependsOnLoadedData(const Kernel &kernel, ValueId value) {
  return dependsOn(kernel, value, [](ValueId) { return true; });
}

bool dependsOnDataOfIteration(const Kernel &kernel, ValueId value,
                              LoopId loop) {
  const std::vector<uint64_t> loops = kernel.graph.loopsOf();
  return dependsOn(kernel, value, [&](ValueId load) {
    return (loops[load] & ExpressionGraph::loopBit(loop)) != 0;
  });
}

} // namespace warplint
