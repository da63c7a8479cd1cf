#include "cost/outer_reuse.h"
#include "cost/cache_sizes.h"
#include "cost/costed.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <map>

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
    // Accesses that touch the same sectors go over them once.
    std::map<std::pair<std::string, std::vector<LoopId>>, std::vector<unsigned>>
        together;
    for (unsigned i = 0; i < kernel_.accesses.size(); ++i) {
      const Access &access = kernel_.accesses[i];
      const Cost &cost = costs_.costs[i];
      if (!llvm::is_contained(access.loops, loop) || !mayBeGlobal(cost.space) ||
          access.need == Need::Never)
        continue;
      if (cost.basis == Basis::Unknown)
        return std::numeric_limits<double>::infinity();
      together[{access.object, access.loops}].push_back(i);
    }
    double bytes = 0;
    for (const auto &[key, accesses] : together) {
      double each = 0, most = 0;
      for (unsigned i : accesses) {
        const Access &access = kernel_.accesses[i];
        const auto at = llvm::find(access.loops, loop);
        const double times =
            isNew_[i] *
            iterations(access, llvm::ArrayRef(access.loops)
                                   .drop_front(at + 1 - access.loops.begin()));
        each += costs_.costs[i].sectors * times;
        most = std::max(most, times);
      }
      bytes +=
          sectorBytes *
          std::min(each,
                   most * footprint(kernel_, costs_.costs, accesses).sectors);
    }
    return bytes;
  }

  /// In how many iterations of a loop a load touches one piece of `size` bytes.
  double timesOver(unsigned load, LoopId loop, AddressStep step,
                   double size) const {
    const double all = std::max(1.0, frequencies_.trips(loop).count);
    if (!moves(kernel_.accesses[load], loop))
      return all;
    const std::optional<double> moved = step(load, loop);
    return moved && *moved > 0 ? std::clamp(size / *moved, 1.0, all) : 1;
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
  /// Returns true if the address is not the same in all iterations of a loop,
  /// as far as it says.
  bool moves(const Access &access, LoopId loop) const {
    return kernel_.graph.loopsOf()[access.address] &
           ExpressionGraph::loopBit(loop);
  }

  /// The iterations in which an access touches other memory.
  double iterations(const Access &access, llvm::ArrayRef<LoopId> loops) const {
    double count = 1;
    for (LoopId loop : loops) {
      if (!moves(access, loop))
        continue;
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

std::vector<OuterReuse>
outerReuse(const Kernel &kernel, const ShapeCosts &costs,
           Frequencies &frequencies, llvm::ArrayRef<double> isNew,
           AddressStep step, double warps, double multiprocessors) {
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
      const double inSector = reader.timesOver(i, loop, step, sectorBytes),
                   inDram = reader.timesOver(i, loop, step, dramBytes);
      if (inDram == 1)
        continue;
      if (!bytes[loop])
        bytes[loop] = reader.bytesOf(loop) * warps;
      if (*bytes[loop] <= cachedInL1 && !reader.isStoredIn(access, loop))
        result[i].inL1 *= inSector;
      if (*bytes[loop] * multiprocessors <= cachedInL2)
        result[i].inL2 *= inDram;
    }
  }
  return result;
}

} // namespace warplint
