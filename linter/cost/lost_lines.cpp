#include "cost/lost_lines.h"
#include "cost/cache_sizes.h"
#include "cost/neighbours.h"
#include "model/may_be_global.h"
#include <map>

namespace warplint {

double linesInIteration(const Kernel &kernel, const ShapeCosts &costs,
                        LoopId loop,
                        llvm::function_ref<double(unsigned access)> share) {
  std::map<std::string, double> byObject;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    const Cost &cost = costs.costs[i];
    if (access.operation != Operation::Load || !mayBeGlobal(cost.space) ||
        access.need == Need::Never || access.loops.empty() ||
        access.loops.back() != loop)
      continue;
    const bool isKnown = cost.basis != Basis::Unknown;
    if (!isKnown && !cost.cause)
      continue;
    const double lines = isKnown ? linesOf(cost, access.bytes)
                                 : cost.lanes ? cost.lanes : warpSize;
    double &most = byObject[access.object];
    most = std::max(most, lines * share(i));
  }
  double sum = 0;
  for (const auto &[object, lines] : byObject)
    sum += lines;
  return sum;
}

double lostLines(double lines) {
  return lines > linesInL1 ? 1 - linesInL1 / lines : 0;
}

} // namespace warplint
