#include "cost/load_chains.h"
#include "cost/arguments.h"
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
  for (const auto &[i, store] : llvm::enumerate(storesBefore(kernel)))
    if (store)
      for (unsigned load : kernel.accesses[*store].storedLoads)
        if (load < i && kernel.accesses[load].loops.empty())
          before[i].push_back(load);
  return before;
}

std::vector<std::optional<unsigned>> storesBefore(const Kernel &kernel) {
  std::vector<std::optional<unsigned>> before(kernel.accesses.size());
  // The last store through each argument, by the condition.
  std::map<ValueId, std::map<ObjectId, unsigned>> stores;
  for (const auto &[i, access] : llvm::enumerate(kernel.accesses)) {
    if (access.operation == Operation::Atomic || access.isRestrict ||
        access.isReadOnly || access.isAsync || !access.loops.empty())
      continue;
    const std::optional<ObjectId> argument = argumentOf(kernel, access);
    if (!argument)
      continue;
    auto &last = stores[access.guard];
    if (access.operation == Operation::Store) {
      // What is not loaded is there at once.
      if (!access.storedLoads.empty())
        last[*argument] = i;
    } else if (access.need == Need::EachTime) {
      for (const auto &[other, store] : last)
        if (other != *argument && store > before[i].value_or(0))
          before[i] = store;
    }
  }
  return before;
}

} // namespace warplint
