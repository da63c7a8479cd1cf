#include "cost/window_reuse.h"
#include "cost/cache_sizes.h"
#include "cost/costed.h"
#include "cost/other_warps.h"
#include "model/may_be_global.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

/// A window of more iterations is a row or a matrix.
constexpr double mostIterations = 32;

class WindowReader {
public:
  WindowReader(const ShapeCosts &costs, Frequencies &frequencies,
               Evaluation &evaluation, Warp &here)
      : shape_(costs.shape), frequencies_(frequencies), evaluation_(evaluation),
        here_(here) {}

  WindowReuse of(const Access &access) {
    WindowReuse reuse;
    for (LoopId loop : access.loops) {
      const Trips trips = frequencies_.trips(loop);
      if (trips.isAssumed || trips.count < 2 || trips.count > mostIterations)
        continue;
      const uint64_t begin = here_.evaluate(access.address, {}).value[0];
      const auto step = stepOf(access, loop);
      if (!step)
        continue;
      if (nextBlocks_.empty()) { // few kernels have a window
        block_ = othersOfBlock(evaluation_, shape_.shape);
        nextBlocks_ = inNextBlocks(here_);
      }
      const unsigned rows = rowsOfBlock(access, begin, *step);
      const double own = (rows + trips.count - 1) / (rows * trips.count);
      reuse.inL1 *= own;
      reuse.inL2 *=
          isInNextBlock(access, begin + *step) ? 1 / trips.count : own;
    }
    return reuse;
  }

private:
  /// The bytes from the first lane's first iteration to its second one; none if
  /// they are unknown, stay in a sector, or if L2 loses what lies between.
  std::optional<int64_t> stepOf(const Access &access, LoopId loop) {
    Iterations second;
    second[loop] = 1;
    // A copy: the next evaluation may move what it refers to.
    const LaneValues from = here_.evaluate(access.address, {}),
                     to = here_.evaluate(access.address, second);
    const int64_t step = to.value[0] - from.value[0];
    if ((from.unknown | to.unknown) & 1 ||
        std::abs(step) < int64_t(sectorBytes) ||
        std::abs(double(step)) > cachedInL2)
      return std::nullopt;
    return step;
  }

  /// The rows that the block's first iterations load, one behind the other.
  unsigned rowsOfBlock(const Access &access, uint64_t begin, int64_t step) {
    unsigned rows = 1;
    auto isLoaded = [&](uint64_t address) {
      return loads(here_, access, address) ||
             llvm::any_of(block_, [&](Warp &warp) {
               return loads(warp, access, address);
             });
    };
    while (rows < warpsTried && isLoaded(begin + rows * step))
      ++rows;
    return rows;
  }

  bool isInNextBlock(const Access &access, uint64_t address) {
    for (unsigned dimension = 0; dimension < nextBlocks_.size(); ++dimension) {
      const bool isThere = shape_.launches.empty() ||
                           shape_.launches.front().grid[dimension] != 1;
      if (isThere && loads(nextBlocks_[dimension], access, address))
        return true;
    }
    return false;
  }

  /// Returns true if the warp loads from `address` in its first iterations.
  static bool loads(Warp &warp, const Access &access, uint64_t address) {
    return hasAddress(warp, access, {},
                      warp.may(access.guard, {}) & warp.lanes(), address);
  }

  const KernelShape &shape_;
  Frequencies &frequencies_;
  Evaluation &evaluation_;
  Warp &here_;
  std::deque<Warp> block_, nextBlocks_;
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
  WindowReader reader(costs, frequencies, evaluation, here);
  for (unsigned i = 0; i < result.size() && !isOverdue(); ++i)
    if (isKnownLoad(kernel.accesses[i], costs.costs[i]))
      result[i] = reader.of(kernel.accesses[i]);
  return result;
}

} // namespace warplint
