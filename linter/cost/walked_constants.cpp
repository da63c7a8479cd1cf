#include "cost/walked_constants.h"
#include "cost/compile_time.h"
#include "cost/conditions.h"
#include "cost/counter_steps.h"
#include "cost/terms.h"
#include <algorithm>
#include <cmath>

namespace warplint {

double constantsWalked(const Kernel &kernel, const Access &access,
                       Frequencies &frequencies) {
  const ExpressionGraph &graph = kernel.graph;
  if (access.space != Space::Constant || access.need != Need::EachTime ||
      dependsOn(graph, access.address,
                {Op::ThreadIndex, Op::Lane, Op::Loaded, Op::Varying}))
    return 0;
  double bytes = access.bytes;
  bool staysLoop = false;
  for (LoopId loop : access.loops) {
    const auto step = bytesOfStep(graph, access.address, loop);
    if (!step || !*step)
      continue;
    bytes += std::abs(double(*step)) * (frequencies.trips(loop).count - 1);
    staysLoop |= !isUnrolled(kernel, loop);
  }
  return staysLoop ? bytes : 0;
}

double walkCycles(double bytes, double warps) {
  constexpr double cyclesOfMiss = 25, kept = 300, lost = 560;
  constexpr double fewWarps = 22, manyWarps = 46;
  return cyclesOfMiss * std::clamp((bytes - kept) / (lost - kept), 0.0, 1.0) *
         std::clamp((warps - fewWarps) / (manyWarps - fewWarps), 0.0, 1.0);
}

} // namespace warplint
