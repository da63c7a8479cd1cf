#include "findings/kernel_changes.h"
#include "base/short_number.h"
#include "cost/kernel_time.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace warplint {

namespace {

constexpr double tolerance = 1.05;

/// Sums the costs of the accesses with one text, in the worst shape.
struct AccessCost {
  double sectors = 0, ways = 0;
};

using AccessCosts = std::map<std::string, AccessCost>;

AccessCosts accessCosts(const CostedKernel &costed) {
  AccessCosts result;
  for (const ShapeCosts &shape : costed.shapes) {
    AccessCosts here;
    for (unsigned i = 0; i < shape.costs.size(); ++i) {
      const Access &access = costed.kernel.accesses[i];
      const Cost &cost = shape.costs[i];
      if (access.text.empty() || cost.basis == Basis::Unknown)
        continue;
      AccessCost &sum = here[std::string(spelling(access.operation)) + " of '" +
                             access.text + "'"];
      if (cost.space == Space::Shared)
        sum.ways += cost.ways;
      else
        sum.sectors += cost.sectors;
    }
    for (const auto &[text, cost] : here) {
      AccessCost &most = result[text];
      most.sectors = std::max(most.sectors, cost.sectors);
      most.ways = std::max(most.ways, cost.ways);
    }
  }
  return result;
}

/// Returns what a warp uses in the shape in which it takes longest.
Demand demandOf(const CostedKernel &costed) {
  Demand most;
  double cycles = -1;
  for (const ShapeCosts &shape : costed.shapes)
    if (const KernelTime &time = timeOf(costed, shape);
        time.cyclesPerWarp() > cycles) {
      cycles = time.cyclesPerWarp();
      most = time.total();
    }
  return most;
}

std::string change(double before, double after) {
  return shortNumber(before) + " -> " + shortNumber(after);
}

} // namespace

std::vector<std::string> whatGrew(const Kernel &before, const Kernel &after,
                                  unsigned capability) {
  const CostedKernel old = costed(before, {}, capability),
                     now = costed(after, {}, capability);
  std::vector<std::string> grew;
  const AccessCosts oldCosts = accessCosts(old);
  for (const auto &[text, cost] : accessCosts(now)) {
    auto known = oldCosts.find(text);
    const AccessCost was =
        known == oldCosts.end() ? AccessCost() : known->second;
    if (cost.sectors > was.sectors * tolerance)
      grew.push_back(text + ": " + change(was.sectors, cost.sectors) +
                     " sectors per request");
    if (cost.ways > was.ways * tolerance)
      grew.push_back(text + ": " + change(was.ways, cost.ways) +
                     " conflict ways");
  }
  const Demand was = demandOf(old), is = demandOf(now);
  auto compare = [&](const char *what, double Demand::*amount) {
    if (is.*amount > was.*amount * tolerance)
      grew.push_back(std::string(what) +
                     " of a warp: " + change(was.*amount, is.*amount));
  };
  compare("instructions", &Demand::instructions);
  compare("FP64 instructions", &Demand::doubles);
  compare("special functions", &Demand::special);
  return grew;
}

} // namespace warplint
