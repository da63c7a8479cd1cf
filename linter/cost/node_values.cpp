#include "cost/node_values.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

std::vector<bool> differingByWarp(const Kernel &kernel) {
  const ExpressionGraph &graph = kernel.graph;
  std::vector<bool> differs(graph.size());
  // Carried nodes make cycles.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (ValueId id = 0; id < graph.size(); ++id) {
      if (differs[id])
        continue;
      const Node &node = graph.node(id);
      const bool isOfLoop = node.op == Op::Final || node.op == Op::Ever;
      // The last warp may have fewer lanes, which a ballot shows.
      differs[id] =
          node.op == Op::ThreadIndex || node.op == Op::Ballot ||
          (isOfLoop && differs[kernel.loops[node.number].continues]) ||
          llvm::any_of(graph.operands(id),
                       [&](ValueId operand) { return differs[operand]; });
      isChanged |= differs[id];
    }
  }
  return differs;
}

} // namespace warplint
