#include "cost/neighbours.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

constexpr double wasteful = 2;        // touched over used
constexpr unsigned heldByL1 = 64;     // sectors per warp
constexpr double heldTogether = 20.5; // sectors per request of a store
constexpr unsigned nearby = 32;       // accesses of any kind in between

bool sharesSectors(const Cost &a, unsigned aBytes, const Cost &b,
                   unsigned bBytes) {
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(a.active >> lane & b.active >> lane & 1))
      continue;
    uint64_t aFirst = a.addresses[lane] / sectorBytes;
    uint64_t aLast = (a.addresses[lane] + aBytes - 1) / sectorBytes;
    uint64_t bFirst = b.addresses[lane] / sectorBytes;
    uint64_t bLast = (b.addresses[lane] + bBytes - 1) / sectorBytes;
    if (aFirst <= bLast && bFirst <= aLast)
      return true;
  }
  return false;
}

/// Returns true if no loop stands between two accesses, so that L1 still holds
/// the sectors of one for the other: they share a control-equivalent region, or
/// stand in regions close to each other, such as the iterations of an unrolled
/// loop, each with its own end-of-data test.
bool soonAfter(const Kernel &kernel, unsigned a, unsigned b) {
  if (kernel.accesses[a].region == kernel.accesses[b].region)
    return true;
  auto [first, last] = std::minmax(a, b);
  if (last - first > nearby)
    return false;
  for (unsigned i = first; i < last; ++i)
    if (kernel.accesses[i].loops != kernel.accesses[last].loops)
      return false;
  return true;
}

/// The accesses soon after each other that share sectors, each with another.
std::vector<unsigned> groupOf(const Kernel &kernel, const ShapeCosts &costs,
                              unsigned access) {
  std::vector<unsigned> group{access}, rest;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (i != access && soonAfter(kernel, i, access) &&
        costs.costs[i].space == Space::Global && costs.costs[i].active &&
        costs.costs[i].basis != Basis::Unknown)
      rest.push_back(i);
  for (size_t next = 0; next < group.size(); ++next)
    llvm::erase_if(rest, [&](unsigned i) {
      bool shares = sharesSectors(costs.costs[group[next]],
                                  kernel.accesses[group[next]].bytes,
                                  costs.costs[i], kernel.accesses[i].bytes);
      if (shares)
        group.push_back(i);
      return shares;
    });
  return group;
}

/// The sectors that L1 has to hold until the neighbours use them: those of all
/// wasteful accesses to the same object soon after each other.
unsigned heldSectors(const Kernel &kernel, const ShapeCosts &costs,
                     unsigned access) {
  auto object = [&](unsigned i) {
    const Cost &cost = costs.costs[i];
    return rangeOf(cost.addresses[llvm::countr_zero(cost.active)]);
  };
  std::vector<unsigned> held;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (soonAfter(kernel, i, access) && costs.costs[i].active &&
        costs.costs[i].basis != Basis::Unknown &&
        costs.costs[i].excess() >= wasteful && object(i) == object(access))
      held.push_back(i);
  return footprint(kernel, costs.costs, held).sectors;
}

} // namespace

Waste waste(const Kernel &kernel, const ShapeCosts &costs, unsigned access) {
  Waste result;
  const Cost &own = costs.costs[access];
  if (own.basis == Basis::Unknown || own.excess() < wasteful)
    return result;
  result.group = groupOf(kernel, costs, access);
  Footprint all = footprint(kernel, costs.costs, result.group);
  result.sectors = all.sectors;
  result.idealSectors = all.idealSectors;
  if (all.sectors >= wasteful * all.idealSectors) {
    result.real = true;
    return result;
  }
  // Stores of lanes that data select seldom write all of the sectors.
  bool scatteredStore = llvm::any_of(result.group, [&](unsigned i) {
    return kernel.accesses[i].operation != Operation::Load &&
           costs.costs[i].chosenBy.empty() &&
           costs.costs[i].sectors > heldTogether &&
           costs.costs[i].excess() >= wasteful;
  });
  result.real =
      scatteredStore || heldSectors(kernel, costs, access) >= heldByL1;
  return result;
}

std::vector<unsigned> nearbyOnSameSectors(const Kernel &kernel,
                                          const ShapeCosts &costs,
                                          unsigned access) {
  std::vector<unsigned> result;
  const Cost &own = costs.costs[access];
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (i != access && soonAfter(kernel, i, access) &&
        costs.costs[i].space == own.space &&
        sharesSectors(own, kernel.accesses[access].bytes, costs.costs[i],
                      kernel.accesses[i].bytes))
      result.push_back(i);
  return result;
}

} // namespace warplint
