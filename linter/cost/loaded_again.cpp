#include "cost/loaded_again.h"
#include "cost/costed.h"
#include "cost/reached.h"
#include "model/may_be_global.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace warplint {

namespace {

/// A block's other warps are like these.
constexpr unsigned warpsTried = 8;
/// More loads of one array than any stencil has.
constexpr size_t mostLoads = 64;

class Places {
public:
  Places(const ShapeCosts &costs, Evaluation &evaluation, Warp &here)
      : here_(here) {
    const Shape &shape = costs.shape.shape;
    const unsigned warps = std::min<uint64_t>(
        warpsTried, (shape.threads() + warpSize - 1) / warpSize);
    for (unsigned index = 1; index < warps; ++index)
      others_.emplace_back(evaluation, shape, index, 0, 0);
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      BlockPlace next = here.block();
      ++next[dimension];
      others_.emplace_back(here, next);
    }
  }

  /// Returns true if all lanes access `one` equally far from `other`, and no
  /// lane has both in a sector: those are one request's.
  bool areApart(const Access &one, const Access &other) {
    const LaneValues a = here_.evaluate(one.address, first_),
                     b = here_.evaluate(other.address, first_);
    const uint32_t lanes = here_.lanes();
    if ((a.unknown | b.unknown) & lanes)
      return false;
    const int64_t apart = a.value[0] - b.value[0];
    for (unsigned lane = 1; lane < warpSize; ++lane)
      if ((lanes >> lane & 1) &&
          int64_t(a.value[lane] - b.value[lane]) != apart)
        return false;
    return std::abs(apart) >= int64_t(sectorBytes);
  }

  /// Returns true if another lane, warp, block or iteration loads as `access`
  /// what the first lane loads from `address`.
  bool isLoaded(const Access &access, uint64_t address) {
    if (contains(here_, access, first_, address))
      return true;
    for (LoopId loop : access.loops) {
      Iterations second = first_;
      second[loop] = 1;
      if (contains(here_, access, second, address))
        return true;
    }
    return llvm::any_of(others_, [&](Warp &warp) {
      return contains(warp, access, first_, address);
    });
  }

  /// The first lane's.
  std::optional<uint64_t> addressOf(const Access &access) {
    const LaneValues &values = here_.evaluate(access.address, first_);
    if (values.unknown & 1)
      return std::nullopt;
    return values.value[0];
  }

private:
  static bool contains(Warp &warp, const Access &access,
                       const Iterations &iterations, uint64_t address) {
    const LaneValues &values = warp.evaluate(access.address, iterations);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if ((warp.lanes() & ~values.unknown) >> lane & 1 &&
          values.value[lane] == address)
        return true;
    return false;
  }

  Warp &here_;
  const Iterations first_;
  std::deque<Warp> others_;
};

/// Loads of one array that are executed together, in the order of the code.
using Group = std::vector<unsigned>;

std::vector<Group> groupsOf(const Kernel &kernel, const ShapeCosts &costs) {
  std::vector<Group> groups;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    const Cost &cost = costs.costs[i];
    if (access.operation != Operation::Load || !cost.active ||
        cost.basis == Basis::Unknown || access.isVolatile ||
        !mayBeGlobal(cost.space))
      continue;
    auto known = llvm::find_if(groups, [&](const Group &group) {
      const Access &other = kernel.accesses[group.front()];
      return other.guard == access.guard && other.loops == access.loops &&
             objectOf(costs.costs[group.front()]) == objectOf(cost);
    });
    if (known == groups.end())
      groups.push_back({i});
    else
      known->push_back(i);
  }
  llvm::erase_if(groups, [](const Group &group) {
    return group.size() < 2 || group.size() > mostLoads;
  });
  return groups;
}

} // namespace

std::vector<bool> loadedByAnother(const Kernel &kernel, const ShapeCosts &costs,
                                  Evaluation &evaluation, Warp &here) {
  std::vector<bool> result(kernel.accesses.size());
  const std::vector<Group> groups = groupsOf(kernel, costs);
  if (groups.empty())
    return result;
  Places places(costs, evaluation, here);
  for (const Group &group : groups) {
    std::vector<unsigned> served; // by DRAM
    for (unsigned i : group) {
      if (isOverdue())
        return result;
      const Access &access = kernel.accesses[i];
      const std::optional<uint64_t> address = places.addressOf(access);
      result[i] = address && llvm::any_of(served, [&](unsigned j) {
                    const Access &other = kernel.accesses[j];
                    const auto its = places.addressOf(other);
                    return its && places.areApart(access, other) &&
                           (places.isLoaded(other, *address) ||
                            places.isLoaded(access, *its));
                  });
      if (!result[i])
        served.push_back(i);
    }
  }
  return result;
}

} // namespace warplint
