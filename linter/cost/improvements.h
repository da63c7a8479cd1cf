// Finds conditions that hold where data beat the best of a loop so far, as in
// `if (d < best) best = d`, and how often they do. The data are taken to come
// in random order.
#pragma once
#include "model/model.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <memory>
#include <optional>

namespace warplint {

/// The iterations of loops that improve what is kept in a variable, in the last
/// of a sorted list, or in an element of memory.
struct Improvements {
  LoopId loop;               ///< the innermost one that brings candidates
  ValueId candidate;         ///< of one iteration
  ValueId best;              ///< that it has to beat
  double perIteration;       ///< candidates
  double places;             ///< that the best ones take: those of a list
  std::vector<LoopId> loops; ///< that go on with the same best, `loop` too
};

/// Finds them under the conditions of one kernel.
class FindImprovements {
public:
  using TripsOf = llvm::function_ref<double(LoopId)>;

  explicit FindImprovements(const Kernel &kernel);
  ~FindImprovements();

  /// Returns what has to improve for `guard` to hold in `loops`; none if it may
  /// hold otherwise.
  std::optional<Improvements> under(llvm::ArrayRef<LoopId> loops, ValueId guard,
                                    TripsOf tripsOf);

private:
  class Kept;

  Kept *keptBy(ValueId comparison, LoopId loop);
  bool isCompared(ValueId value);
  bool isData(ValueId value);

  const Kernel &kernel_;
  /// By comparison and loop; null if it compares no candidate.
  std::map<std::pair<ValueId, LoopId>, std::unique_ptr<Kept>> known_;
  llvm::DenseMap<ValueId, bool> isData_;
  llvm::DenseSet<ValueId> compared_; ///< behind conversions
};

/// Returns the iterations, on average, in which one of `lanes` or more find a
/// candidate among their best `places` so far, of `candidates` for each: those
/// of one lane and one place are ln(n) + 0.58.
double improvingIterations(double candidates, double places, unsigned lanes);

} // namespace warplint
