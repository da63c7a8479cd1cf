#include "cost/window_reuse.h"
#include "cost/cache_sizes.h"
#include "cost/costed.h"
#include "model/may_be_global.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

namespace warplint {

namespace {

/// A window of more iterations is a row or a matrix.
constexpr double mostIterations = 32;
constexpr unsigned mostWarps = 8;

/// The first iterations of other warps.
class Others {
public:
  Others(const ShapeCosts &costs, Evaluation &evaluation, Warp &here) {
    const Shape &shape = costs.shape.shape;
    const unsigned warps = std::min<uint64_t>(mostWarps, shape.warps());
    for (unsigned index = 1; index < warps; ++index)
      block_.emplace_back(evaluation, shape, index, 0, 0);
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      // A grid of one block there has no next one.
      if (!costs.shape.launches.empty() &&
          costs.shape.launches.front().grid[dimension] == 1)
        continue;
      BlockPlace next = here.block();
      ++next[dimension];
      blocks_.emplace_back(here, next);
    }
  }

  bool isInBlock(const Access &access, uint64_t address) {
    return llvm::any_of(
        block_, [&](Warp &warp) { return loads(warp, access, address); });
  }
  bool isInNextBlock(const Access &access, uint64_t address) {
    return llvm::any_of(
        blocks_, [&](Warp &warp) { return loads(warp, access, address); });
  }
  /// Returns true if a lane of the warp loads from `address` in the first
  /// iterations.
  static bool loads(Warp &warp, const Access &access, uint64_t address) {
    const Iterations first;
    const uint32_t active = warp.may(access.guard, first) & warp.lanes();
    const LaneValues &values = warp.evaluate(access.address, first);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if ((active & ~values.unknown) >> lane & 1 &&
          values.value[lane] == address)
        return true;
    return false;
  }

private:
  std::deque<Warp> block_, blocks_;
};

bool isKnownLoad(const Access &access, const Cost &cost) {
  return access.operation == Operation::Load && !access.loops.empty() &&
         !access.isVolatile && cost.active && cost.basis != Basis::Unknown &&
         mayBeGlobal(cost.space);
}

} // namespace

std::vector<WindowReuse> windowReuse(const Kernel &kernel,
                                     const ShapeCosts &costs,
                                     Frequencies &frequencies,
                                     Evaluation &evaluation, Warp &here) {
  std::vector<WindowReuse> result(kernel.accesses.size());
  std::optional<Others> others;
  for (unsigned i = 0; i < result.size() && !isOverdue(); ++i) {
    const Access &access = kernel.accesses[i];
    if (!isKnownLoad(access, costs.costs[i]))
      continue;
    for (LoopId loop : access.loops) {
      const Trips trips = frequencies.trips(loop);
      if (trips.isAssumed || trips.count < 2 || trips.count > mostIterations)
        continue;
      Iterations second;
      second[loop] = 1;
      // A copy: the next evaluation may move what it refers to.
      const LaneValues from = here.evaluate(access.address, Iterations()),
                       to = here.evaluate(access.address, second);
      if ((from.unknown | to.unknown) & 1)
        continue;
      const int64_t step = to.value[0] - from.value[0];
      if (std::abs(step) < int64_t(sectorBytes) ||
          std::abs(double(step)) > cachedInL2)
        continue;
      if (!others)
        others.emplace(costs, evaluation, here);
      // Rows of the block, one behind the other.
      unsigned rows = 1;
      while (rows < mostWarps &&
             (others->isInBlock(access, from.value[0] + rows * step) ||
              Others::loads(here, access, from.value[0] + rows * step)))
        ++rows;
      const double all = rows * trips.count, own = rows + trips.count - 1;
      result[i].inL1 *= own / all;
      result[i].inL2 *= others->isInNextBlock(access, to.value[0])
                            ? 1 / trips.count
                            : own / all;
    }
  }
  return result;
}

} // namespace warplint
