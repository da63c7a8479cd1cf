#include "cost/outer_reuse.h"
#include "cost/cache_sizes.h"
#include "cost/costed.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

namespace warplint {

namespace {

class Reader {
public:
  Reader(const Kernel &kernel, const ShapeCosts &costs,
         Frequencies &frequencies, llvm::ArrayRef<double> isNew)
      : kernel_(kernel), costs_(costs), frequencies_(frequencies),
        isNew_(isNew) {}

  /// Bytes of global memory that a warp goes over in one iteration; infinitely
  /// many if only the run knows.
  double bytesOf(LoopId loop) const {
    double bytes = 0;
    for (unsigned i = 0; i < kernel_.accesses.size(); ++i) {
      const Access &access = kernel_.accesses[i];
      const Cost &cost = costs_.costs[i];
      const auto at = llvm::find(access.loops, loop);
      if (at == access.loops.end() || !mayBeGlobal(cost.space) ||
          access.need == Need::Never)
        continue;
      if (cost.basis == Basis::Unknown)
        return std::numeric_limits<double>::infinity();
      bytes += cost.sectors * sectorBytes * isNew_[i] *
               iterations(llvm::ArrayRef(access.loops)
                              .drop_front(at + 1 - access.loops.begin()));
    }
    return bytes;
  }

  /// Returns true if the loop loads the same memory in each iteration, as far
  /// as addresses say.
  bool goesOverAgain(const Access &load, LoopId loop) const {
    return !(kernel_.graph.loopsOf()[load.address] &
             ExpressionGraph::loopBit(loop));
  }

  /// Returns true if a store of the loop may write what the load reads: L1 does
  /// not keep it.
  bool isStoredIn(const Access &load, LoopId loop) const {
    return llvm::any_of(kernel_.accesses, [&](const Access &access) {
      return access.operation != Operation::Load && mayBeGlobal(access.space) &&
             access.object == load.object &&
             llvm::is_contained(access.loops, loop);
    });
  }

private:
  double iterations(llvm::ArrayRef<LoopId> loops) const {
    double count = 1;
    for (LoopId loop : loops) {
      const Trips trips = frequencies_.trips(loop);
      if (trips.isAssumed)
        return std::numeric_limits<double>::infinity();
      count *= trips.count;
    }
    return count;
  }

  const Kernel &kernel_;
  const ShapeCosts &costs_;
  Frequencies &frequencies_;
  const llvm::ArrayRef<double> isNew_;
};

} // namespace

std::vector<OuterReuse> outerReuse(const Kernel &kernel,
                                   const ShapeCosts &costs,
                                   Frequencies &frequencies,
                                   llvm::ArrayRef<double> isNew, double warps,
                                   double multiprocessors) {
  const Reader reader(kernel, costs, frequencies, isNew);
  std::vector<std::optional<double>> bytes(kernel.loops.size());
  std::vector<OuterReuse> result(kernel.accesses.size());
  for (unsigned i = 0; i < result.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.operation != Operation::Load || access.isVolatile ||
        access.loops.size() < 2 || !mayBeGlobal(costs.costs[i].space) ||
        costs.costs[i].basis == Basis::Unknown)
      continue;
    for (LoopId loop : llvm::ArrayRef(access.loops).drop_back()) {
      if (!reader.goesOverAgain(access, loop))
        continue;
      if (!bytes[loop])
        bytes[loop] = reader.bytesOf(loop) * warps;
      const double times = std::max(1.0, frequencies.trips(loop).count);
      if (*bytes[loop] <= cachedInL1 && !reader.isStoredIn(access, loop))
        result[i].inL1 *= times;
      if (*bytes[loop] * multiprocessors <= cachedInL2)
        result[i].inL2 *= times;
    }
  }
  return result;
}

} // namespace warplint
