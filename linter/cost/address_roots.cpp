#include "cost/address_roots.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

using Walk = ExpressionGraph::Walk;

llvm::SmallVector<ValueId, 4> addressRoots(const ExpressionGraph &graph,
                                           ValueId address) {
  llvm::SmallVector<ValueId, 4> roots;
  graph.walk(address, [&](ValueId id) {
    switch (graph.node(id).op) {
    case Op::Add:
    case Op::Subtract:
    case Op::Resize:
    case Op::Carried:
    case Op::Final:
    case Op::Join:
    case Op::Select:
      return Walk::Into;
    default:
      roots.push_back(id);
      return Walk::Past;
    }
  });
  return roots;
}

llvm::SmallVector<ValueId, 4> rootsInMemory(const ExpressionGraph &graph,
                                            ValueId address) {
  llvm::SmallVector<ValueId, 4> roots = addressRoots(graph, address);
  llvm::erase_if(roots, [&](ValueId id) {
    return graph.node(id).op != Op::Base && graph.node(id).op != Op::Loaded;
  });
  return roots;
}

Space spaceOfBases(const Kernel &kernel, ValueId address) {
  const ExpressionGraph &graph = kernel.graph;
  Space space = Space::Unknown;
  for (ValueId root : rootsInMemory(graph, address)) {
    const Node &node = graph.node(root);
    if (node.op == Op::Loaded && !node.pointer)
      continue; // an index
    Space here =
        node.op == Op::Base ? kernel.objects[node.number].space : Space::Global;
    if (space != Space::Unknown && space != here)
      return Space::Unknown;
    space = here;
  }
  return space;
}

} // namespace warplint
