#include "findings/kernel_changes.h"
#include "base/short_number.h"
#include "cost/kernel_time.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

namespace {

constexpr double tolerance = 1.05;

/// Sums the costs of the accesses with one text, in the worst shape.
struct AccessCost {
  double sectors = 0, ways = 0;
};

/// Accesses of one text.
struct Accesses {
  std::string what;   ///< "store of"
  std::string text;   ///< "y[i * s]"
  std::string object; ///< "y"
  AccessCost cost;
};

/// In the order of the code.
using AccessCosts = std::vector<Accesses>;

const Accesses *find(llvm::ArrayRef<Accesses> all, const Accesses &one) {
  const Accesses *found = llvm::find_if(all, [&](const Accesses &other) {
    return other.what == one.what && other.text == one.text;
  });
  return found == all.end() ? nullptr : found;
}

AccessCosts accessCosts(const CostedKernel &costed) {
  AccessCosts result;
  auto entryOf = [&](const Access &access) -> size_t {
    Accesses one{std::string(spelling(access.operation)) + " of",
                 access.text,
                 access.object,
                 {}};
    if (const Accesses *known = find(result, one))
      return known - result.data();
    result.push_back(std::move(one));
    return result.size() - 1;
  };
  for (const ShapeCosts &shape : costed.shapes) {
    std::map<size_t, AccessCost> here;
    for (unsigned i = 0; i < shape.costs.size(); ++i) {
      const Access &access = costed.kernel.accesses[i];
      const Cost &cost = shape.costs[i];
      if (access.text.empty() || cost.basis == Basis::Unknown)
        continue;
      AccessCost &sum = here[entryOf(access)];
      if (cost.space == Space::Shared)
        sum.ways += cost.ways;
      else
        sum.sectors += cost.sectors;
    }
    for (const auto &[entry, cost] : here) {
      AccessCost &most = result[entry].cost;
      most.sectors = std::max(most.sectors, cost.sectors);
      most.ways = std::max(most.ways, cost.ways);
    }
  }
  return result;
}

/// The accesses of `all` to the object of `one` whose texts `others` lack.
std::vector<const Accesses *> unmatched(llvm::ArrayRef<Accesses> all,
                                        llvm::ArrayRef<Accesses> others,
                                        const Accesses &one) {
  std::vector<const Accesses *> left;
  for (const Accesses &access : all)
    if (access.what == one.what && access.object == one.object &&
        !find(others, access))
      left.push_back(&access);
  return left;
}

/// The same access before: that of the same text, or, where as many texts of
/// its object went as came, the one in its place. Null if it is new.
const Accesses *earlier(const Accesses &now, llvm::ArrayRef<Accesses> old,
                        llvm::ArrayRef<Accesses> all) {
  if (const Accesses *known = find(old, now))
    return known;
  const auto went = unmatched(old, all, now), came = unmatched(all, old, now);
  if (went.size() != came.size())
    return nullptr;
  return went[llvm::find(came, &now) - came.begin()];
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
  const AccessCosts oldCosts = accessCosts(old), newCosts = accessCosts(now);
  for (const Accesses &access : newCosts) {
    const Accesses *known = earlier(access, oldCosts, newCosts);
    const AccessCost was = known ? known->cost : AccessCost();
    const AccessCost &is = access.cost;
    std::string name = access.what + " '" + access.text + "'";
    if (known && known->text != access.text)
      name += ", once '" + known->text + "'";
    if (is.sectors > was.sectors * tolerance)
      grew.push_back(name + ": " + change(was.sectors, is.sectors) +
                     " sectors per request");
    if (is.ways > was.ways * tolerance)
      grew.push_back(name + ": " + change(was.ways, is.ways) +
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
