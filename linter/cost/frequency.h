// Computes how often the warps of a launch execute code: iterations of loops,
// and the share of warps that a condition lets through.
#pragma once
#include "cost/last_elements.h"
#include "cost/warp.h"
#include <map>

namespace warplint {

/// The number of iterations of a loop each time that it is entered.
struct Trips {
  double count = 1;
  /// An estimate: only the run knows the bound.
  bool isAssumed = false;
  /// Not large, however large the size is: over what steps of several elements
  /// leave of it, or through an array that holds a few of them.
  bool isShort = false;
  /// Those of the slowest warps, for which others wait; if not `count`.
  std::optional<double> longest = {};
};

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

  /// A loop with an unknown bound steps through `unknownLength` elements
  /// (`dataLength` if data bound it), all such loops alike, so that loops with
  /// one bound compare rightly. A loop through elements that all blocks share
  /// takes `gridTrips`; if the launch gives the grid, it goes through
  /// `gridElements`. None of them goes beyond an array of known size.
  Trips trips(LoopId loop);
  Frequency of(llvm::ArrayRef<LoopId> loops, ValueId guard);

  /// Warps of the launch; nothing if its grid is unknown.
  std::optional<double> warps() const;
  unsigned warpsPerBlock() const { return warpsPerBlock_; }

  /// Frees the evaluated warps and keeps none from now on: they take much more
  /// memory than the counts.
  void release();

  /// Texts of the bounds for which a count was assumed: "n", "columns".
  std::vector<std::string> assumedBounds() const;

  /// Sizes that nobody wrote down are large.
  static constexpr double unknownLength = 512;
  /// The length of a row, the steps of a search.
  static constexpr double dataLength = 64;
  static constexpr double gridTrips = 4, leastTrips = 2;
  /// Between the 1 << 20 and 1 << 24 elements that programs are tried with.
  static constexpr double gridElements = 1 << 22;

private:
  Trips computeTrips(LoopId loop);
  std::optional<double> mostInArrays(LoopId loop);
  std::optional<Trips> tripsOfCounter(LoopId id, ValueId comparison);
  bool beginsEmpty(Warp &warp, LoopId id, ValueId counter);
  std::optional<double> stepOf(LoopId id, ValueId counter);
  std::optional<double> countOfAnySize(LoopId id, ValueId counter,
                                       ValueId bound);
  std::optional<Trips> tripsOfGrid(LoopId id, ValueId counter, ValueId bound);
  std::optional<Trips> tripsOfSized(LoopId id, ValueId counter, ValueId bound);
  std::optional<Trips> tripsOfRest(LoopId id, ValueId counter, ValueId bound);
  /// How a counter moves from one iteration to the next: by the same, or by
  /// half or several times of what it is.
  enum class Step { Equal, Halves, Doubles };
  struct Ends {
    ValueId counter, bound;
    Step step;
    bool isInclusive; ///< the counter reaches the bound
  };
  /// Returns the iterations of a counter that begins at `from`, goes on with
  /// `next` and ends at `to`.
  static double countBetween(const Ends &ends, double from, double next,
                             double to);
  /// The first lane's value; clears `isKnown` if it is unknown or assumed.
  double numberIn(Warp &warp, ValueId value, const Iterations &iterations,
                  bool &isKnown) const;
  double growth(LoopId id, const Ends &ends, bool &isAssumed);
  Frequency compute(llvm::ArrayRef<LoopId> loops, ValueId guard);
  double stepsOfLast(const LastElements &last, llvm::ArrayRef<LoopId> loops);
  double blocksUnderGuard(llvm::ArrayRef<LoopId> loops, ValueId guard);
  Frequency shareOfSecondBlock(llvm::ArrayRef<LoopId> loops, ValueId guard);
  double shareOf(Warp &warp, llvm::ArrayRef<LoopId> loops, ValueId guard);
  double shareInLoop(Warp &warp, LoopId loop, ValueId guard);
  /// Returns true if a condition loads what says that this is the last block.
  bool dependsOnElection(ValueId condition) const;
  /// In a known grid, a block in the middle stands for all.
  void pinToMiddle(Warp &warp) const;
  /// The conditions of one kernel have most of their parts in common.
  Warp &warpOf(unsigned block, unsigned index);
  Warp &warpOfSecondBlock(unsigned index);

  const Kernel &kernel_;
  const KernelShape &shape_;
  Evaluation evaluation_;
  unsigned warpsPerBlock_;
  std::vector<ObjectId> elections_; ///< say whether this is the last block
  std::map<std::pair<unsigned, unsigned>, Warp> warps_; ///< by block and index
  bool keepsWarps_ = true;
  long budgetBefore_ = 0; ///< of the evaluation, when `warps_` was empty
  std::map<LoopId, Trips> trips_;
  std::map<ValueId, double> blocksUnder_; ///< by condition
  std::map<std::pair<ValueId, std::vector<LoopId>>, Frequency> known_;
};

/// The loops whose iterations repeat the request of an access.
inline llvm::ArrayRef<LoopId> loopsThatRepeat(const Access &access) {
  llvm::ArrayRef<LoopId> loops = access.loops;
  return access.need == Need::Once && !loops.empty() ? loops.drop_back()
                                                     : loops;
}

/// The requests of an access by a warp, on average.
inline double requestsOf(const Access &access, Frequencies &frequencies) {
  return frequencies.of(loopsThatRepeat(access), access.guard).perWarp;
}

} // namespace warplint
