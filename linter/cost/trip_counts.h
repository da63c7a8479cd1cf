// The iterations of loops: known counts, and estimates where only the run knows
// a bound.
#pragma once
#include "cost/counter_steps.h"
#include <map>
#include <string>

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

/// Counts for one kernel, one block shape and the first launch with that shape.
class TripCounts {
public:
  /// Evaluates with `evaluation`, of the kernel and launches of the shape.
  TripCounts(Evaluation &evaluation, const KernelShape &shape)
      : kernel_(evaluation.kernel), shape_(shape), evaluation_(evaluation) {}

  /// A loop with an unknown bound steps through `unknownLength` elements
  /// (`dataLength` if data bound it), all such loops alike, so that loops with
  /// one bound compare rightly. A loop through elements that all blocks share
  /// takes `gridTrips`; if the launch gives the grid, it goes through
  /// `gridElements`. None of them goes beyond an array of known size.
  Trips of(LoopId loop);

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
  /// A value that moves in each iteration of a loop, and where it ends.
  struct Counter {
    LoopId loop;
    ValueId value, bound;
    FirstSteps steps = {};
    LaneValues end = {};
    bool isOfData = false;   ///< data decide its ends
    bool isOfMiddle = false; ///< the loop around is in its middle
  };

  Trips compute(LoopId loop);
  bool endsAtOnce(LoopId id);
  std::optional<Trips> tripsOfCounter(LoopId id, ValueId comparison);
  std::optional<double> limitOf(Warp &warp, const Counter &counter);
  Trips through(const Counter &counter, std::optional<double> limit,
                double length);
  std::optional<Trips> tripsOfKnown(const Counter &counter, ValueId comparison);
  bool beginsEmpty(Warp &warp, LoopId id, ValueId counter);
  bool addChoices(Warp &warp, ValueId value,
                  llvm::SmallVectorImpl<double> &numbers);
  std::optional<double> mostChosen(Warp &warp, LoopId id, ValueId counter,
                                   ValueId bound);
  bool growsWithData(LoopId id, ValueId counter, ValueId bound);
  std::optional<Trips> tripsOfGrid(LoopId id, ValueId counter, ValueId bound);
  Trips tripsOfHalving(ValueId one, ValueId other);
  std::optional<Trips> tripsOfSized(LoopId id, ValueId counter, ValueId bound);
  std::optional<Trips> tripsOfRest(LoopId id, ValueId counter, ValueId bound);
  /// The first lane's value; clears `isKnown` if it is unknown or assumed.
  double numberIn(Warp &warp, ValueId value, const Iterations &iterations,
                  bool &isKnown) const;
  double growth(LoopId id, const CounterEnds &ends, bool &isAssumed);

  const Kernel &kernel_;
  const KernelShape &shape_;
  Evaluation &evaluation_;
  std::map<LoopId, Trips> trips_;
};

} // namespace warplint
