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

std::vector<double> partsFromTile(const CostedKernel &costed,
                                  const ShapeCosts &shape,
                                  llvm::ArrayRef<unsigned> loads) {
  const Kernel &kernel = costed.kernel;
  std::vector<std::optional<double>> steps;
  for (unsigned load : loads)
    steps.push_back(stepOf(costed, shape, load));
  std::vector<double> parts;
  for (size_t i = 0; i < loads.size(); ++i) {
    const Cost &cost = shape.costs[loads[i]];
    if (!steps[i] || distinctAddresses(cost.addresses, cost.active) != 1) {
      parts.push_back(1);
      continue;
    }
    // Loads of the same elements of an array of structures.
    double together = 0;
    for (size_t other = 0; other < loads.size(); ++other)
      together += kernel.accesses[loads[other]].loops ==
                      kernel.accesses[loads[i]].loops &&
                  objectOf(shape.costs[loads[other]]) == objectOf(cost) &&
                  steps[other] == steps[i];
    parts.push_back(std::min(1.0, *steps[i] / widest / together));
  }
  return parts;
}

Demand requestsSavedByTile(const CostedKernel &costed, const ShapeCosts &shape,
                           llvm::ArrayRef<unsigned> loads) {
  const KernelTime &time = timeOf(costed, shape);
  Demand requests;
  for (auto [load, part] :
       llvm::zip_equal(loads, partsFromTile(costed, shape, loads))) {
    requests.wavefronts += time.of(load).wavefronts * (1 - part);
    requests += time.ofInstructions(1 - part, costed.kernel.accesses[load]);
  }
  return requests;
}

} // namespace warplint
