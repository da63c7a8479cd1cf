#include "cost/data_places.h"
#include "cost/request.h"
#include "cost/terms.h"
#include <algorithm>
#include <numeric>

namespace warplint {

/// Returns true for an element of an array whose index another block or
/// iteration has another one of. A pointer or a size in memory, which all of
/// them load, is aligned as an argument is.
static bool isElement(const ExpressionGraph &graph, ValueId value) {
  value = withoutResizing(graph, value);
  return graph.node(value).op == Op::Loaded && !graph.node(value).pointer &&
         dependsOn(graph, graph.operand(value, 0),
                   {Op::BlockIndex, Op::ThreadIndex, Op::Carried});
}

void averagePlaces(const Kernel &kernel, const Access &access, Cost &cost) {
  if (cost.basis != Basis::Bounded || !cost.active || !access.bytes)
    return;
  const ExpressionGraph &graph = kernel.graph;
  Terms terms;
  addTerms(graph, access.address, 1, terms);
  int64_t step = 0; ///< bytes between the places
  for (const auto &[value, factor] : terms)
    if (isElement(graph, value))
      step = std::gcd(step ? step : int64_t(sectorBytes), factor);
  if (!step || step >= int64_t(sectorBytes))
    return;
  cost.isPlacedByData = true;
  double sum = 0;
  for (int64_t place = 0; place < int64_t(sectorBytes); place += step) {
    LaneAddresses addresses = cost.addresses;
    for (uint64_t &address : addresses)
      address += place;
    sum += sectorsTouched(addresses, cost.active, access.bytes);
  }
  cost.sectors =
      std::clamp(sum * double(step) / sectorBytes, cost.low, cost.high);
}

} // namespace warplint
