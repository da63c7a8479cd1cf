#include "cost/load_chains.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

std::vector<std::vector<unsigned>> loadsBefore(const Kernel &kernel) {
  using Walk = ExpressionGraph::Walk;
  const ExpressionGraph &graph = kernel.graph;
  std::map<std::pair<ValueId, std::vector<LoopId>>, unsigned> loads;
  for (const auto &[i, access] : llvm::enumerate(kernel.accesses))
    if (access.operation == Operation::Load)
      loads.try_emplace({access.address, access.loops}, i);
  std::vector<std::vector<unsigned>> before(kernel.accesses.size());
  for (const auto &[i, access] : llvm::enumerate(kernel.accesses))
    graph.walk(access.address, [&](ValueId id) {
      const Node &node = graph.node(id);
      if (node.op == Op::Carried)
        return Walk::Past; // from the iteration before
      if (node.op != Op::Loaded)
        return Walk::Into;
      const auto load = loads.find({graph.operand(id, 0), access.loops});
      if (load != loads.end())
        before[i].push_back(load->second);
      return Walk::Past;
    });
  return before;
}

} // namespace warplint
