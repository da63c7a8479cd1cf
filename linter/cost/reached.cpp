#include "cost/reached.h"
#include "cost/address_roots.h"
#include "cost/costed.h"
#include "cost/warp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace warplint {

std::optional<uint64_t> objectOf(const Cost &cost) {
  if (!cost.active)
    return std::nullopt;
  return rangeOf(cost.addresses[llvm::countr_zero(cost.active)]);
}

std::optional<ObjectId> onlyObject(const Kernel &kernel, ValueId address) {
  std::optional<ObjectId> found;
  for (ValueId root : addressRoots(kernel.graph, address)) {
    const Node &node = kernel.graph.node(root);
    if (!node.pointer && node.op != Op::Base)
      continue; // an index
    if (node.op != Op::Base || (found && *found != node.number))
      return std::nullopt;
    found = ObjectId(node.number);
  }
  return found;
}

bool writesObjectOf(const Kernel &kernel, const ShapeCosts &costs,
                    unsigned access) {
  const std::optional<uint64_t> read = objectOf(costs.costs[access]);
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &other = kernel.accesses[i];
    if (other.operation == Operation::Load)
      continue;
    const std::optional<uint64_t> written = objectOf(costs.costs[i]);
    if (written ? written == read
                : other.object == kernel.accesses[access].object)
      return true;
  }
  return false;
}

bool onlyPrints(const Kernel &kernel) {
  return kernel.notFollowed.empty() &&
         llvm::none_of(kernel.accesses, [](const Access &access) {
           return access.operation != Operation::Load &&
                  access.space != Space::Shared &&
                  access.space != Space::Local;
         });
}

} // namespace warplint
