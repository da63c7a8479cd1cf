// Accesses that probe values keep all threads of the evaluated blocks from.
#pragma once
#include "cost/access_requests.h"
#include <map>

namespace warplint {

class UnreachedAccesses {
public:
  explicit UnreachedAccesses(AccessRequests &requests)
      : requests_(requests), kernel_(requests.kernel),
        launches_(requests.launches) {}

  /// Evaluates the accesses without the terms of their guards that keep all
  /// threads out; the remaining terms select the lanes.
  void run(llvm::ArrayRef<size_t> unreached, unsigned warps, unsigned trial,
           std::vector<RequestSums> &sums);

private:
  /// Sets of nodes, by the active lanes of a warp.
  using NodesByLanes = std::map<uint32_t, llvm::DenseSet<ValueId>>;

  void countKeptOut(llvm::ArrayRef<size_t> unreached, unsigned warps,
                    unsigned trial);
  bool mayDiffer(const Launched &launch, const Access &access) const;
  bool mayReach(Warp &warp, const Access &access);
  void noteDataInGuard(Warp &warp, Warp &doubting, uint32_t active, size_t i,
                       NodesByLanes &without);

  AccessRequests &requests_;
  const Kernel &kernel_;
  const llvm::ArrayRef<Launched> launches_;
};

} // namespace warplint
