#include "cost/tile_reads.h"
#include "cost/index_steps.h"
#include "cost/lanes.h"
#include "cost/reached.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace warplint {

namespace {

constexpr double widest = 16; // bytes of a shared load

/// The bytes from one iteration's element to the next one's, of the innermost
/// loop that moves the address.
std::optional<double> stepOf(const CostedKernel &costed,
                             const ShapeCosts &shape, unsigned load) {
  for (const auto &step :
       llvm::reverse(indexSteps(costed, shape, load).loops)) {
    if (!step.bytes)
      return std::nullopt;
    if (*step.bytes != 0)
      return std::abs(double(*step.bytes));
  }
  return std::nullopt;
}

} // namespace

double partFromTile(const CostedKernel &costed, const ShapeCosts &shape,
                    llvm::ArrayRef<unsigned> loads, unsigned load) {
  const Kernel &kernel = costed.kernel;
  const Cost &cost = shape.costs[load];
  const std::optional<double> step = stepOf(costed, shape, load);
  if (!step || distinctAddresses(cost.addresses, cost.active) != 1)
    return 1;
  // Loads of the same elements of an array of structures.
  const double together = llvm::count_if(loads, [&](unsigned other) {
    return kernel.accesses[other].loops == kernel.accesses[load].loops &&
           objectOf(shape.costs[other]) == objectOf(cost) &&
           stepOf(costed, shape, other) == step;
  });
  return std::min(1.0, *step / widest / std::max(1.0, together));
}

Demand requestsSavedByTile(const CostedKernel &costed, const ShapeCosts &shape,
                           llvm::ArrayRef<unsigned> loads) {
  const KernelTime &time = timeOf(costed, shape);
  Demand requests;
  for (unsigned i : loads) {
    const double saved = 1 - partFromTile(costed, shape, loads, i);
    requests.wavefronts += time.of(i).wavefronts * saved;
    requests += time.ofInstructions(saved, costed.kernel.accesses[i]);
  }
  return requests;
}

} // namespace warplint
