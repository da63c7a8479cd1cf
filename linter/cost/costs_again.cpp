#include "cost/costs_again.h"
#include "cost/each_cost.h"
#include "cost/joined_costs.h"
#include "model/argument_bytes.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

/// Returns true if the launches give a node different values.
bool isGivenAnother(const ExpressionGraph &graph, ValueId id,
                    const Launched &from, const Launched &to) {
  const Node &node = graph.node(id);
  if (node.op == Op::Loaded)
    if (const auto byte = argumentByte(graph, id))
      return argumentBits(from, *byte, node.bits) !=
             argumentBits(to, *byte, node.bits);
  if (node.op != Op::Parameter || graph.operands(id).empty())
    return false;
  const uint64_t position = graph.node(graph.operand(id, 0)).number;
  auto given = [&](const Launched &launch) {
    return position < launch.arguments.size() ? launch.arguments[position]
                                              : std::nullopt;
  };
  return given(from) != given(to);
}

/// By node: true if its value may differ between two lists of launches.
std::vector<bool> changedNodes(const Kernel &kernel,
                               llvm::ArrayRef<Launched> from,
                               llvm::ArrayRef<Launched> to) {
  const ExpressionGraph &graph = kernel.graph;
  std::vector<bool> changed(graph.size());
  for (ValueId id = 0; id < graph.size(); ++id)
    for (size_t i = 0; i < from.size() && !changed[id]; ++i)
      changed[id] = isGivenAnother(graph, id, from[i], to[i]);
  // Operands come before their nodes, except in loops.
  for (bool isMore = true; isMore;) {
    isMore = false;
    for (ValueId id = 0; id < graph.size(); ++id) {
      if (changed[id])
        continue;
      const Node &node = graph.node(id);
      bool isUser = llvm::any_of(graph.operands(id), [&](ValueId operand) {
        return changed[operand];
      });
      // These follow a loop to its end.
      if (node.op == Op::Final || node.op == Op::Ever)
        isUser = isUser || changed[kernel.loops[node.number].continues];
      changed[id] = isUser;
      isMore |= isUser;
    }
  }
  return changed;
}

} // namespace

struct CostsAgain::State {
  const Kernel &kernel;
  const KernelShape shape;
  const EachCost each;

  State(const Kernel &kernel, const KernelShape &shape)
      : kernel(kernel), shape(shape),
        each(costsOfEach(kernel, this->shape, allAccesses(kernel))) {}

  bool differsInArgumentsOnly(const KernelShape &other) const {
    return other.shape == shape.shape && other.source == shape.source &&
           llvm::equal(other.launches, shape.launches,
                       [](const Launched &a, const Launched &b) {
                         return a.grid == b.grid;
                       });
  }

  /// The accesses whose costs may differ for `other`.
  std::vector<unsigned> changedBy(const KernelShape &other) const {
    // All accesses share the limit of evaluations and the numbers of objects
    // behind loaded pointers; launches beyond these have numbers of their own.
    if (!each.isCheap || each.hasFound || !differsInArgumentsOnly(other) ||
        shape.launches.size() > smallSizes)
      return allAccesses(kernel);
    const std::vector<bool> changed =
        changedNodes(kernel, shape.launches, other.launches);
    std::vector<unsigned> accesses;
    for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
      const Access &access = kernel.accesses[i];
      if (changed[access.address] || changed[access.guard] ||
          llvm::any_of(access.loops, [&](LoopId id) {
            return changed[kernel.loops[id].enters] ||
                   changed[kernel.loops[id].continues];
          }))
        accesses.push_back(i);
    }
    return accesses;
  }
};

CostsAgain::CostsAgain(const Kernel &kernel, const KernelShape &shape)
    : state_(std::make_unique<State>(kernel, shape)) {}
CostsAgain::~CostsAgain() = default;

std::vector<Cost> CostsAgain::costs(const KernelShape &shape) const {
  const std::vector<unsigned> asked = state_->changedBy(shape);
  if (asked.size() == state_->each.costs.size())
    return warplint::costs(state_->kernel, shape);
  const EachCost changed = costsOfEach(state_->kernel, shape, asked);
  if (!changed.isCheap)
    return warplint::costs(state_->kernel, shape);
  std::vector<Cost> all = state_->each.costs;
  for (unsigned i : asked)
    all[i] = changed.costs[i];
  return joined(state_->kernel, shape.shape, std::move(all));
}

} // namespace warplint
