// Computes how often the warps of a launch execute code: iterations of loops,
// and the share of warps that a condition lets through.
#pragma once
#include "cost/improvements.h"
#include "cost/last_elements.h"
#include "cost/launched_warps.h"
#include "cost/shut_out.h"
#include "cost/trip_counts.h"
#include <map>
#include <memory>
#include <set>

namespace warplint {

/// Executions of code by the warps of one launch.
struct Frequency {
  double perWarp = 0; ///< on average over the warps of the busiest SM
  double longest = 0; ///< by a warp that executes it
  double blocks = 1;  ///< the part of the grid's blocks that may execute it
};

/// Counts for one kernel, one block shape and the first launch with that shape.
class Frequencies {
public:
  Frequencies(const Kernel &kernel, const KernelShape &shape);
  Frequencies(const Frequencies &) = delete;

  Trips trips(LoopId loop) { return trips_.of(loop); }
  Frequency of(llvm::ArrayRef<LoopId> loops, ValueId guard);
  /// The part of the lanes under a guard that take part when a warp executes
  /// it: of those whose values lie in intervals of a loop, few lie in the same,
  /// and few do in the same iteration what each does once. 1 where that is not
  /// known.
  double partOfLanes(llvm::ArrayRef<LoopId> loops, ValueId guard);
  /// Returns true if the launch keeps all threads from code.
  bool isShutOut(llvm::ArrayRef<LoopId> loops, ValueId guard) {
    return shutOut_.isShutOut(loops, guard);
  }

  /// Warps of the launch; nothing if its grid is unknown.
  std::optional<double> warps() const { return launchedWarps(shape_); }
  unsigned warpsPerBlock() const { return warpsPerBlock_; }

  /// Frees the evaluated warps and keeps none from now on: they take much more
  /// memory than the counts.
  void release();

  /// Texts of the bounds for which a count was assumed, "n", "columns", and of
  /// sizes that say which blocks meet a condition.
  std::vector<std::string> assumedBounds() const;

private:
  Frequency compute(llvm::ArrayRef<LoopId> loops, ValueId guard);
  struct Shares {
    double average, most; ///< of the warps
  };
  /// The shares of the iterations in which the warps of the first `blocks`
  /// execute code; `differ`: not all of a block alike.
  Shares sharesIn(unsigned blocks, llvm::ArrayRef<LoopId> loops, ValueId guard,
                  bool differ);
  Frequency ofOneBlock(double count, double longest) const;
  /// Returns true if a condition rests on an end of what the launch may pass.
  bool restsOnEnd(llvm::ArrayRef<LoopId> loops, ValueId guard) const;
  /// The same launch where such ends are unknown.
  Frequencies &between();
  bool differsByWarp(llvm::ArrayRef<LoopId> loops, ValueId guard);
  double stepsOfLast(const LastElements &last, llvm::ArrayRef<LoopId> loops);
  double blocksUnderGuard(llvm::ArrayRef<LoopId> loops, ValueId guard);
  Frequency shareOfSecondBlock(llvm::ArrayRef<LoopId> loops, ValueId guard);
  Frequency shareOfSpreadBlocks(llvm::ArrayRef<LoopId> loops, ValueId guard,
                                bool differ);
  double shareOf(Warp &warp, llvm::ArrayRef<LoopId> loops, ValueId guard);
  double shareInLoop(Warp &warp, LoopId loop, ValueId guard);
  double shareThatImproves(Warp &warp, llvm::ArrayRef<LoopId> loops,
                           ValueId guard);
  double shareOfIntervals(Warp &warp, LoopId loop, ValueId guard,
                          llvm::ArrayRef<ValueId> conditions);
  double shareOfIntervals(LoopId loop, unsigned values);
  /// Returns true if a condition loads what says that this is the last block.
  bool dependsOnElection(ValueId condition) const;
  /// Returns true if a bound of the grid or its edge decides.
  bool isOfGrid(ValueId guard);
  bool isOfData(ValueId guard);
  /// The conditions of one kernel have most of their parts in common.
  Warp &warpOf(unsigned block, unsigned index);
  Warp &warpOfSecondBlock(unsigned index);

  const Kernel &kernel_;
  const KernelShape &shape_;
  Evaluation evaluation_;
  TripCounts trips_;
  ShutOut shutOut_;
  unsigned warpsPerBlock_;
  std::vector<ObjectId> elections_; ///< say whether this is the last block
  std::map<std::pair<unsigned, unsigned>, Warp> warps_; ///< by block and index
  bool keepsWarps_ = true;
  long budgetBefore_ = 0; ///< of the evaluation, when `warps_` was empty
  std::map<ValueId, double> blocksUnder_; ///< by condition
  /// By guard: asked in each loop around it, for each warp.
  std::map<ValueId, bool> ofGrid_, ofData_;
  using Place = std::pair<ValueId, std::vector<LoopId>>; ///< guard and loops
  FindImprovements findImprovements_;
  FindLastElements findLastElements_;
  std::map<Place, std::optional<Improvements>> improvements_;
  struct Sought {
    /// None: the guard asks for no interval, and may hold again and again.
    std::optional<ValueId> value;
    unsigned most = 0;            ///< different ones of a warp
  };
  /// By guard and loop: what the guard looks for in intervals of the loop.
  std::map<std::pair<ValueId, LoopId>, Sought> sought_;
  std::vector<uint8_t> blockIndexes_; ///< by node: dimensions, as bits
  /// Warps of blocks all over the grid that are left to evaluate, for hundreds
  /// of conditions: they take two seconds.
  long spreadWarps_ = 100'000;
  std::map<Place, Frequency> known_;
  KernelShape openShape_;
  std::unique_ptr<Frequencies> between_; ///< of `openShape_`; null: not asked
  std::set<Place> ofBetween_;            ///< what it was asked for
};

/// The loops whose iterations repeat the request of an access.
inline llvm::ArrayRef<LoopId> loopsThatRepeat(const Access &access) {
  llvm::ArrayRef<LoopId> loops = access.loops;
  return access.need == Need::Once && !loops.empty() ? loops.drop_back()
                                                     : loops;
}

/// The requests of an access by a warp, on average.
inline double requestsOf(const Access &access, Frequencies &frequencies) {
  // Also by a loop that repeats no request.
  if (frequencies.isShutOut(access.loops, access.guard))
    return 0;
  return frequencies.of(loopsThatRepeat(access), access.guard).perWarp;
}

} // namespace warplint
