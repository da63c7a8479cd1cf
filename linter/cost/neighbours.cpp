#include "cost/neighbours.h"
#include "cost/reached.h"
#include "os/deadline.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace warplint {

unsigned linesOf(const Cost &cost, unsigned bytes) {
  return piecesTouched(cost.addresses, cost.active, bytes, lineBytes);
}

namespace {

constexpr double wasteful = 2;        // touched over used
constexpr unsigned heldByL1 = 64;     // sectors per warp
constexpr double heldTogether = 20.5; // sectors per request of a store
constexpr double heldWrites = 5.1;    // requests of stores that fill a sector
constexpr unsigned nearby = 32;       // accesses of any kind in between

template <class Visit>
void forEachSector(const Cost &cost, unsigned bytes, Visit visit) {
  forEachPiece(cost.addresses, cost.active, bytes, sectorBytes, visit);
}

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

/// The bytes used of each sector, as bits.
class UsedBytes {
public:
  void add(const Cost &cost, unsigned bytes) {
    forEachSector(cost, bytes, [&](unsigned lane, uint64_t sector) {
      const uint64_t begin = sector * sectorBytes;
      const uint64_t from = std::max(cost.addresses[lane], begin) - begin;
      const uint64_t to =
          std::min(cost.addresses[lane] + bytes, begin + sectorBytes) - begin;
      used_[sector] |= uint32_t((uint64_t(1) << to) - (uint64_t(1) << from));
    });
  }
  void add(const UsedBytes &other) {
    for (const auto &[sector, bits] : other.used_)
      used_[sector] |= bits;
  }
  uint32_t of(uint64_t sector) const { return used_.lookup(sector); }
  size_t sectors() const { return used_.size(); }
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const auto &[sector, bits] : used_)
      sum += llvm::popcount(bits);
    return sum;
  }

  /// Adds the sectors and bytes that these have beyond those of `base`.
  void addTo(const UsedBytes &base, uint64_t &sectors, uint64_t &bytes) const {
    for (const auto &[sector, bits] : used_) {
      const uint32_t before = base.of(sector);
      sectors += !before;
      bytes += llvm::popcount(bits & ~before);
    }
  }

private:
  llvm::DenseMap<uint64_t, uint32_t> used_;
};

/// Accesses of one region, each sharing a sector with another of them.
struct Component {
  std::vector<unsigned> accesses; ///< ascending
  UsedBytes used;
  uint64_t bytes = 0;
  bool hasScatteredStore = false;
};

/// The sectors of one region's accesses.
struct Region {
  /// An access with its sector and lane. Accesses to the same addresses appear
  /// once.
  struct Entry {
    uint64_t sector;
    unsigned lane, access;
    auto key() const { return std::tie(sector, lane); }
  };
  std::vector<unsigned> accesses;
  std::vector<Entry> entries; ///< sorted
  std::vector<Component> components;
  /// The bytes that an object's wasteful accesses use, by its first address.
  std::map<uint64_t, UsedBytes> held;
};

} // namespace

/// Keeps which sectors the accesses of a kernel share, so that a question about
/// one of them need not look at all others.
class SharedSectors {
public:
  SharedSectors(const Kernel &kernel, llvm::ArrayRef<Cost> costs)
      : same_(kernel.accesses.size()), component_(kernel.accesses.size()),
        regionOf_(kernel.accesses.size()), run_(kernel.accesses.size()) {
    std::map<decltype(Access::region), unsigned> ids;
    for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
      regionOf_[i] =
          ids.try_emplace(kernel.accesses[i].region, ids.size()).first->second;
      if (regionOf_[i] == regions_.size())
        regions_.emplace_back();
      regions_[regionOf_[i]].accesses.push_back(i);
      if (i)
        run_[i] = run_[i - 1] +
                  (kernel.accesses[i].loops != kernel.accesses[i - 1].loops);
    }
    for (Region &region : regions_)
      read(kernel, costs, region);
  }

  /// The accesses of other regions that are soon after or before. No loop
  /// stands in between, so that L1 still holds the sectors of one for the
  /// other: such as the iterations of an unrolled loop, each with its own
  /// end-of-data test.
  template <class Visit>
  void forEachOutside(unsigned access, Visit visit) const {
    const unsigned first = access > nearby ? access - nearby : 0;
    for (unsigned i = first; i < run_.size() && i <= access + nearby; ++i)
      if (run_[i] == run_[access] && regionOf_[i] != regionOf_[access])
        visit(i);
  }

  const Region &regionOf(unsigned access) const {
    return regions_[regionOf_[access]];
  }
  const Component &componentOf(unsigned access) const {
    return regionOf(access).components[component_[access]];
  }
  bool isInComponent(unsigned access) const {
    return component_[access] != none;
  }
  unsigned component(unsigned access) const { return component_[access]; }
  /// The first access of the region to the same addresses.
  unsigned representative(unsigned access) const { return same_[access]; }

  /// Calls `visit` for accesses in `region` that share a sector with `cost`,
  /// one for each set of addresses, until it returns true.
  static bool anySharing(const Region &region, const Cost &cost, unsigned bytes,
                         llvm::function_ref<bool(unsigned)> visit) {
    bool found = false;
    forEachSector(cost, bytes, [&](unsigned lane, uint64_t sector) {
      if (found)
        return;
      const Region::Entry wanted{sector, lane, 0};
      for (auto at = llvm::lower_bound(
               region.entries, wanted,
               [](auto &a, auto &b) { return a.key() < b.key(); });
           !found && at != region.entries.end() && at->key() == wanted.key();
           ++at)
        found = visit(at->access);
    });
    return found;
  }

private:
  static constexpr unsigned none = ~0u;

  static bool isMember(const Cost &cost) {
    return cost.space == Space::Global && cost.active &&
           cost.basis != Basis::Unknown;
  }

  void read(const Kernel &kernel, llvm::ArrayRef<Cost> costs, Region &region) {
    std::map<std::tuple<uint64_t, uint32_t, unsigned, Space, bool>,
             llvm::SmallVector<unsigned, 1>>
        alike;
    for (unsigned i : region.accesses) {
      const Cost &cost = costs[i];
      const unsigned bytes = kernel.accesses[i].bytes;
      component_[i] = none;
      same_[i] = i;
      if (!cost.active)
        continue;
      auto &others = alike[{cost.addresses[llvm::countr_zero(cost.active)],
                            cost.active, bytes, cost.space, isMember(cost)}];
      auto first = llvm::find_if(others, [&](unsigned other) {
        return costs[other].addresses == cost.addresses;
      });
      if (first != others.end()) {
        same_[i] = *first;
        continue;
      }
      others.push_back(i);
      forEachSector(cost, bytes, [&](unsigned lane, uint64_t sector) {
        region.entries.push_back({sector, lane, i});
      });
    }
    llvm::sort(region.entries, [](auto &a, auto &b) {
      return std::tie(a.sector, a.lane, a.access) <
             std::tie(b.sector, b.lane, b.access);
    });
    readComponents(kernel, costs, region);
    for (unsigned i : region.accesses)
      if (const Cost &cost = costs[i]; cost.active &&
                                       cost.basis != Basis::Unknown &&
                                       cost.excess() >= wasteful)
        region.held[*objectOf(cost)].add(cost, kernel.accesses[i].bytes);
  }

  void readComponents(const Kernel &kernel, llvm::ArrayRef<Cost> costs,
                      Region &region) {
    llvm::DenseMap<unsigned, unsigned> parent;
    auto rootOf = [&](unsigned i) {
      while (parent.count(i) && parent[i] != i)
        i = parent[i] = parent.count(parent[i]) ? parent[parent[i]] : parent[i];
      return i;
    };
    std::optional<Region::Entry> last;
    for (const Region::Entry &entry : region.entries) {
      if (!isMember(costs[entry.access]))
        continue;
      if (last && last->key() == entry.key()) {
        unsigned a = rootOf(last->access), b = rootOf(entry.access);
        parent[std::max(a, b)] = std::min(a, b);
      }
      last = entry;
    }
    llvm::DenseMap<unsigned, unsigned> ids;
    for (unsigned i : region.accesses) {
      const Cost &cost = costs[i];
      if (!isMember(cost))
        continue;
      auto [id, isNew] =
          ids.try_emplace(rootOf(same_[i]), region.components.size());
      if (isNew)
        region.components.emplace_back();
      component_[i] = id->second;
      Component &component = region.components[id->second];
      component.accesses.push_back(i);
      if (same_[i] == i)
        component.used.add(cost, kernel.accesses[i].bytes);
      component.hasScatteredStore |= isScatteredStore(kernel, costs, i);
    }
    for (Component &component : region.components)
      component.bytes = component.used.bytes();
  }

public:
  /// Stores of lanes that data select seldom write all of the sectors.
  static bool isScatteredStore(const Kernel &kernel, llvm::ArrayRef<Cost> costs,
                               unsigned i) {
    return kernel.accesses[i].operation != Operation::Load &&
           costs[i].chosenBy.empty() && costs[i].excess() >= wasteful &&
           (costs[i].sectors > heldTogether ||
            (costs[i].excess() > heldWrites && costs[i].active == allLanes));
  }
  static bool mayJoin(const Cost &cost) { return isMember(cost); }

private:
  std::vector<unsigned> same_, component_, regionOf_;
  std::vector<unsigned> run_; ///< of accesses in the same loops
  std::vector<Region> regions_;
};

namespace {

const SharedSectors &sharedSectors(const Kernel &kernel,
                                   const ShapeCosts &costs) {
  if (!costs.shared)
    costs.shared = std::make_shared<SharedSectors>(kernel, costs.costs);
  return *costs.shared;
}

/// The accesses soon after each other that share sectors, each with another:
/// whole components of the access's own region, and accesses outside it.
struct Group {
  std::vector<unsigned> components, outside;
};

Group groupOf(const Kernel &kernel, const ShapeCosts &costs, unsigned access) {
  const SharedSectors &shared = sharedSectors(kernel, costs);
  const Region &region = shared.regionOf(access);
  Group group;
  llvm::SmallDenseSet<unsigned, 8> reached;
  std::vector<unsigned> rest;
  shared.forEachOutside(access, [&](unsigned i) {
    if (SharedSectors::mayJoin(costs.costs[i]))
      rest.push_back(i);
  });
  if (shared.isInComponent(access)) {
    group.components.push_back(shared.component(access));
    reached.insert(shared.component(access));
  } else {
    group.outside.push_back(access);
  }
  auto bytes = [&](unsigned i) { return kernel.accesses[i].bytes; };
  // The components that each of the rest shares sectors with.
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 2>> touched;
  auto touch = [&](unsigned i) {
    SharedSectors::anySharing(
        region, costs.costs[i], bytes(i), [&](unsigned other) {
          if (other != i && shared.isInComponent(other) &&
              !llvm::is_contained(touched[i], shared.component(other)))
            touched[i].push_back(shared.component(other));
          return false;
        });
  };
  for (unsigned i : rest)
    touch(i);
  for (unsigned i : group.outside)
    touch(i);
  auto reach = [&](unsigned i) {
    for (unsigned component : touched[i])
      if (reached.insert(component).second)
        group.components.push_back(component);
  };
  for (unsigned i : group.outside)
    reach(i);
  for (bool grows = true; grows;) {
    const size_t before = rest.size();
    llvm::erase_if(rest, [&](unsigned i) {
      const bool shares =
          llvm::any_of(touched[i],
                       [&](unsigned one) { return reached.contains(one); }) ||
          llvm::any_of(group.outside, [&](unsigned other) {
            return sharesSectors(costs.costs[i], bytes(i), costs.costs[other],
                                 bytes(other));
          });
      if (shares) {
        group.outside.push_back(i);
        reach(i);
      }
      return shares;
    });
    grows = rest.size() != before;
  }
  return group;
}

/// The other accesses of the group: first those that share a sector with this
/// one.
std::vector<unsigned> listed(const Group &group, const Kernel &kernel,
                             const ShapeCosts &costs, unsigned access) {
  const SharedSectors &shared = sharedSectors(kernel, costs);
  const Region &region = shared.regionOf(access);
  std::vector<unsigned> result = group.outside;
  for (unsigned component : group.components)
    llvm::append_range(result, region.components[component].accesses);
  llvm::sort(result);
  const Cost &own = costs.costs[access];
  const unsigned bytes = kernel.accesses[access].bytes;
  llvm::SmallDenseSet<unsigned, 16> direct;
  SharedSectors::anySharing(region, own, bytes, [&](unsigned other) {
    direct.insert(other);
    return false;
  });
  for (unsigned i : group.outside)
    if (sharesSectors(own, bytes, costs.costs[i], kernel.accesses[i].bytes))
      direct.insert(i);
  std::stable_partition(result.begin(), result.end(), [&](unsigned i) {
    return direct.contains(i) || direct.contains(shared.representative(i));
  });
  auto first = llvm::find(result, access);
  std::rotate(result.begin(), first, first + 1);
  return result;
}

/// The bytes used by the group, and the sectors that it touches.
Waste footprintOf(const Group &group, const Kernel &kernel,
                  const ShapeCosts &costs, unsigned access) {
  const SharedSectors &shared = sharedSectors(kernel, costs);
  const Region &region = shared.regionOf(access);
  auto largest = llvm::max_element(group.components, [&](auto a, auto b) {
    return region.components[a].used.sectors() <
           region.components[b].used.sectors();
  });
  UsedBytes more;
  for (auto at = group.components.begin(); at != group.components.end(); ++at)
    if (at != largest)
      more.add(region.components[*at].used);
  for (unsigned i : group.outside)
    more.add(costs.costs[i], kernel.accesses[i].bytes);
  uint64_t sectors = 0, bytes = 0;
  static const Component empty;
  const Component &base =
      largest == group.components.end() ? empty : region.components[*largest];
  more.addTo(base.used, sectors, bytes);
  Waste result;
  result.sectors = base.used.sectors() + sectors;
  result.idealSectors = std::max<uint64_t>(
      1, (base.bytes + bytes + sectorBytes - 1) / sectorBytes);
  return result;
}

/// The sectors that L1 has to hold until the neighbours use them: those of all
/// wasteful accesses to the same object soon after each other.
uint64_t heldSectors(const Kernel &kernel, const ShapeCosts &costs,
                     unsigned access) {
  const SharedSectors &shared = sharedSectors(kernel, costs);
  const uint64_t object = *objectOf(costs.costs[access]);
  UsedBytes more;
  shared.forEachOutside(access, [&](unsigned i) {
    const Cost &cost = costs.costs[i];
    if (cost.active && cost.basis != Basis::Unknown &&
        cost.excess() >= wasteful && objectOf(cost) == object)
      more.add(cost, kernel.accesses[i].bytes);
  });
  const auto &held = shared.regionOf(access).held;
  auto own = held.find(object);
  if (own == held.end())
    return more.sectors();
  uint64_t sectors = 0, bytes = 0;
  more.addTo(own->second, sectors, bytes);
  return own->second.sectors() + sectors;
}

/// Returns true if L1 takes much longer than DRAM to give a warp the bytes that
/// a load uses: an SM gets about 14 bytes in a cycle from DRAM, in which L1
/// looks up one line for words, and about three for bytes.
bool touchesManyLines(const Cost &cost, unsigned bytes) {
  constexpr unsigned many = 16, bytesOfEach = 8, lookupsOfSector = 12;
  const unsigned lines = linesOf(cost, bytes);
  return lines >= lookupsOfSector * cost.idealSectors ||
         (lines >= many &&
          lines * bytesOfEach >= llvm::popcount(cost.active) * bytes);
}

/// `waste` without the list of the group.
Waste wasteOf(const Group &group, const Kernel &kernel, const ShapeCosts &costs,
              unsigned access) {
  Waste result = footprintOf(group, kernel, costs, access);
  if (result.sectors >= wasteful * result.idealSectors) {
    result.real = true;
    return result;
  }
  const Region &region = sharedSectors(kernel, costs).regionOf(access);
  result.real =
      llvm::any_of(group.components,
                   [&](unsigned component) {
                     return region.components[component].hasScatteredStore;
                   }) ||
      llvm::any_of(group.outside,
                   [&](unsigned i) {
                     return SharedSectors::isScatteredStore(kernel, costs.costs,
                                                            i);
                   }) ||
      (kernel.accesses[access].operation == Operation::Load &&
       touchesManyLines(costs.costs[access], kernel.accesses[access].bytes)) ||
      heldSectors(kernel, costs, access) >= heldByL1;
  return result;
}

bool mayWaste(const Cost &cost) {
  return cost.basis != Basis::Unknown && cost.active &&
         cost.excess() >= wasteful && !isOverdue();
}

} // namespace

Waste waste(const Kernel &kernel, const ShapeCosts &costs, unsigned access) {
  if (!mayWaste(costs.costs[access]))
    return {};
  const Group group = groupOf(kernel, costs, access);
  Waste result = wasteOf(group, kernel, costs, access);
  result.group = listed(group, kernel, costs, access);
  return result;
}

bool wastes(const Kernel &kernel, const ShapeCosts &costs, unsigned access) {
  return mayWaste(costs.costs[access]) &&
         wasteOf(groupOf(kernel, costs, access), kernel, costs, access).real;
}

bool othersUseItsSectors(const Kernel &kernel, const ShapeCosts &costs,
                         unsigned access) {
  const SharedSectors &shared = sharedSectors(kernel, costs);
  const Cost &own = costs.costs[access];
  const unsigned bytes = kernel.accesses[access].bytes;
  auto isOther = [&](unsigned i) {
    return costs.costs[i].space == own.space &&
           costs.costs[i].addresses != own.addresses;
  };
  bool found =
      SharedSectors::anySharing(shared.regionOf(access), own, bytes, isOther);
  shared.forEachOutside(access, [&](unsigned i) {
    found = found || (isOther(i) && sharesSectors(own, bytes, costs.costs[i],
                                                  kernel.accesses[i].bytes));
  });
  return found;
}

} // namespace warplint
