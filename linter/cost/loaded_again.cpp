#include "cost/loaded_again.h"
#include "cost/costed.h"
#include "cost/other_warps.h"
#include "cost/reached.h"
#include "model/may_be_global.h"
#include "os/deadline.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace warplint {

namespace {

/// More loads of one array than any stencil has.
constexpr size_t mostLoads = 64;

class Places {
public:
  Places(const ShapeCosts &costs, Evaluation &evaluation, Warp &here)
      : here_(here), block_(othersOfBlock(evaluation, costs.shape.shape)),
        nextBlocks_(inNextBlocks(here)) {}

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
    auto isLoadedBy = [&](Warp &warp) {
      return contains(warp, access, first_, address);
    };
    return llvm::any_of(block_, isLoadedBy) ||
           llvm::any_of(nextBlocks_, isLoadedBy);
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
    return hasAddress(warp, access, iterations, warp.lanes(), address);
  }

  Warp &here_;
  const Iterations first_;
  std::deque<Warp> block_, nextBlocks_;
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

/// How many requests touch each piece of memory.
class PieceCounts {
public:
  explicit PieceCounts(unsigned size) : size_(size) {}

  void add(const LaneValues &addresses, uint32_t lanes, unsigned bytes) {
    llvm::SmallSet<uint64_t, 32> pieces;
    forEachPiece(addresses.value.toArray(), lanes & ~addresses.unknown, bytes,
                 size_,
                 [&](unsigned, uint64_t piece) { pieces.insert(piece); });
    for (uint64_t piece : pieces)
      ++counts_[piece];
  }
  void add(const PieceCounts &other) {
    for (const auto &[piece, count] : other.counts_)
      counts_[piece] += count;
  }
  /// The part of these pieces that these requests bring if all of `all` that
  /// touch a piece bring an equal part of it.
  double partOf(const PieceCounts &all) const {
    double sum = 0;
    for (const auto &[piece, count] : counts_)
      sum += double(count) / all.counts_.lookup(piece);
    return counts_.empty() ? 1 : sum / counts_.size();
  }

private:
  unsigned size_;
  llvm::DenseMap<uint64_t, unsigned> counts_;
};

} // namespace

std::vector<OwnPart> ownParts(const Kernel &kernel, const ShapeCosts &costs,
                              Evaluation &evaluation, Warp &here,
                              const std::vector<bool> &servedByAnother) {
  std::vector<OwnPart> result(kernel.accesses.size());
  const std::vector<Group> groups = groupsOf(kernel, costs);
  if (groups.empty())
    return result;
  std::deque<Warp> others = othersOfBlock(evaluation, costs.shape.shape);
  for (const Group &group : groups) {
    if (isOverdue())
      return result;
    PieceCounts inL1(sectorBytes), inL2(dramBytes);
    std::vector<PieceCounts> ownInL1, ownInL2;
    for (unsigned i : group) {
      const Access &access = kernel.accesses[i];
      const uint32_t active = costs.costs[i].active;
      PieceCounts &sectors = ownInL1.emplace_back(sectorBytes),
                  &pieces = ownInL2.emplace_back(dramBytes);
      const LaneValues &first = here.evaluate(access.address, Iterations());
      sectors.add(first, active, access.bytes);
      if (!servedByAnother[i])
        pieces.add(first, active, access.bytes);
      for (Warp &warp : others)
        sectors.add(warp.evaluate(access.address, Iterations()),
                    active & warp.lanes(), access.bytes);
      inL1.add(sectors);
      inL2.add(pieces);
    }
    for (size_t k = 0; k < group.size(); ++k)
      result[group[k]] = {ownInL1[k].partOf(inL1), ownInL2[k].partOf(inL2)};
  }
  return result;
}

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
