#include "cost/node_values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace warplint {

void LaterValues::set(ValueId id, uint64_t key, const LaneValues *values) {
  if (4 * (size_ + 1) > 3 * places_.size())
    grow();
  Place &place = places_[placeOf(id, key)];
  size_ += !place.values;
  place = {key, id, values};
}

void LaterValues::grow() {
  std::vector<Place> old(std::max<size_t>(64, 2 * places_.size()));
  old.swap(places_);
  shift_ = 64 - llvm::Log2_64(places_.size());
  for (const Place &place : old)
    if (place.values)
      places_[placeOf(place.id, place.key)] = place;
}

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
