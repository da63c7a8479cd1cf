// The figures of accesses whose lanes lie in another way in other blocks: the
// average of blocks all over the grid.
#pragma once
#include "cost/access_requests.h"
#include "cost/sampled_access.h"
#include "cost/sampled_blocks.h"
#include <map>

namespace warplint {

/// The blocks along x, y and z that a trial takes; of an unknown grid, many.
BlockPlace gridOf(llvm::ArrayRef<Launched> launches, unsigned trial);

class SampledGrid {
public:
  explicit SampledGrid(AccessRequests &requests)
      : requests_(requests), kernel_(requests.kernel),
        launches_(requests.launches) {}

  /// Replaces the sums of the accesses, each by access, by those of blocks all
  /// over the grid, of which `warps` warps are evaluated. The accesses share
  /// what they have in common.
  void sample(SampledTogether of, llvm::ArrayRef<size_t> accesses,
              unsigned warps, unsigned trial, std::vector<RequestSums> &sums);

private:
  void runSampled(Warp &warp, unsigned trial, SampledAccess &one);
  void takeAverage(const SampledAccess &one, bool isKnown, unsigned trial,
                   RequestSums &sum);
  /// Takes the addresses of the access from this block, whose figure is the
  /// usual one.
  void showBlock(size_t access, const BlockPlace &place);

  /// What the blocks gave without probe values: the same in each trial of a
  /// launch.
  struct Probeless {
    const Launched *launch = nullptr;
    BlockPlace usual;
    std::vector<RequestSums> sums; ///< by access
  };

  AccessRequests &requests_;
  const Kernel &kernel_;
  const llvm::ArrayRef<Launched> launches_;
  std::map<SampledTogether, Probeless> probeless_;
  /// Evaluations that are left for all accesses; those at first take two
  /// seconds.
  long sampling_ = 2'000'000;
};

} // namespace warplint
