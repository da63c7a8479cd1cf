#include "cost/same_in_arms.h"
#include "cost/conditions.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

namespace {

bool isNegation(const ExpressionGraph &graph, ValueId a, ValueId of) {
  return graph.node(a).op == Op::Xor && graph.node(a).bits == 1 &&
         graph.isConstant(graph.operand(a, 1), 1) && graph.operand(a, 0) == of;
}

/// Returns true if no thread gets past both conditions.
bool excludeEachOther(const ExpressionGraph &graph, ValueId a, ValueId b) {
  std::vector<ValueId> ofA, ofB;
  addConditions(graph, a, ofA);
  addConditions(graph, b, ofB);
  return llvm::any_of(ofA, [&](ValueId one) {
    return llvm::any_of(ofB, [&](ValueId other) {
      return isNegation(graph, one, other) || isNegation(graph, other, one);
    });
  });
}

} // namespace

std::vector<double> partsOfArms(const Kernel &kernel, const ShapeCosts &costs,
                                Frequencies &frequencies) {
  // By what they access, and the lanes that do.
  using Same =
      std::tuple<ValueId, Operation, unsigned, std::vector<LoopId>, uint32_t>;
  std::map<Same, std::vector<unsigned>> all;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (const Access &access = kernel.accesses[i];
        access.operation != Operation::Atomic && !access.isVolatile &&
        access.need == Need::EachTime &&
        !kernel.graph.isConstant(access.guard, 1))
      all[{access.address, access.operation, access.bytes,
           std::vector<LoopId>(access.loops.begin(), access.loops.end()),
           costs.costs[i].active}]
          .push_back(i);
  std::vector<double> parts(kernel.accesses.size(), 1);
  for (const auto &[same, arms] : all) {
    if (arms.size() < 2)
      continue;
    bool areArms = true;
    for (unsigned a : arms)
      for (unsigned b : arms)
        areArms =
            areArms &&
            (a >= b || excludeEachOther(kernel.graph, kernel.accesses[a].guard,
                                        kernel.accesses[b].guard));
    if (!areArms)
      continue;
    double sum = 0, most = 0;
    for (unsigned i : arms) {
      const double requests = requestsOf(kernel.accesses[i], frequencies);
      sum += requests;
      most = std::max(most, requests);
    }
    if (sum > 0)
      for (unsigned i : arms)
        parts[i] = most / sum;
  }
  return parts;
}

} // namespace warplint
