// The requests of a kernel's accesses, warp by warp, for one block shape.
#pragma once
#include "cost/block_shifts.h"
#include "cost/cost_basis.h"
#include "cost/evaluation.h"
#include "cost/request_sums.h"
#include "cost/warp.h"

namespace warplint {

/// The launch whose constants a trial takes; null if none is known.
const Launched *launchOf(llvm::ArrayRef<Launched> launches, unsigned trial);

/// The blocks that a trial evaluates: all of a small grid, else one.
unsigned evaluatedBlocks(llvm::ArrayRef<Launched> launches, unsigned trial);

/// Evaluates requests, adds them up, and keeps what they show of each access.
/// Accesses are numbered as in the kernel.
class AccessRequests {
public:
  AccessRequests(const Kernel &kernel, const KernelShape &shape);

  /// Adds the requests of a warp in all iterations that stand for its loops'.
  void run(Warp &warp, size_t access, unsigned trial, RequestSums &sum);

  /// The request of a warp's first iteration, whatever its guard says.
  RequestSums unguarded(Warp &warp, size_t access, unsigned trial,
                        std::string &why);

  /// Adds one request of the `active` lanes. Returns false and sets `why` if an
  /// address is unknown.
  bool add(Warp &warp, size_t access, unsigned trial,
           const Iterations &iterations, uint32_t active, RequestSums &sum,
           std::string &why);

  /// Notes if data select some of the counted lanes.
  void noteChosenLanes(const LaneValues &guard, const LaneAddresses &addresses,
                       uint32_t active, size_t access);

  /// Forgets which request of the access was the last one.
  void restart(size_t access) { counters_[access] = RequestCounter(); }

  const Kernel &kernel;
  const Shape shape;
  const bool isAssumed; ///< no launch shows the shape
  const llvm::ArrayRef<Launched> launches;
  Evaluation evaluation;
  std::vector<Cost> costs;         ///< by access
  std::vector<AccessNotes> notes;  ///< by access
  std::vector<BlockShifts> shifts; ///< by access, of the trial that runs

private:
  void noteUnknown(ValueId cause, uint32_t active, Cost &cost,
                   std::string &why);
  unsigned mostWays(size_t access);

  std::vector<RequestCounter> counters_; ///< by access
  std::vector<unsigned> mostWays_;       ///< by access; 0: not asked for
};

} // namespace warplint
