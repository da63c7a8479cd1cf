// Which loop-carried values are sums: a counter, or a pointer that the loops of
// a nest step.
#pragma once
#include "cost/evaluation.h"
#include <map>
#include <vector>

namespace warplint {

/// What each iteration of its loop adds to a carried value: terms, and the sums
/// that inner loops have added when they end. A pointer that the loops of a
/// nest step is one in each of them, and begins in each as the outer one's: to
/// follow it from iteration to iteration takes all of the nest's.
struct CarriedSum {
  struct Inner {
    ValueId carried;            ///< begins as the outer value
    std::vector<ValueId> terms; ///< added behind its loop's last iteration
  };
  bool isSum = false;
  std::vector<ValueId> terms;
  std::vector<Inner> inner;
  uint64_t loops = 0; ///< what is added depends on them, as bits

  /// True if it is not followed from iteration to iteration.
  bool isOfNest() const { return isSum && !inner.empty(); }
};

/// The sums of a kernel, each found when it is first asked for.
class CarriedSums {
public:
  explicit CarriedSums(const Evaluation &evaluation)
      : evaluation_(evaluation), kernel_(evaluation.kernel),
        graph_(kernel_.graph) {}
  /// Of a node that is `Op::Carried`.
  const CarriedSum &of(ValueId carried);
  /// The condition on which a loop goes on, less that it has been reached and
  /// has gone on before: what lanes that have not reached it add is not used.
  ValueId ownCondition(LoopId loop) const;

private:
  bool addsTo(ValueId value, ValueId target, CarriedSum &sum,
              unsigned depth = 0);
  bool addsBehindLoop(ValueId value, ValueId target, CarriedSum &sum,
                      unsigned depth);

  const Evaluation &evaluation_;
  const Kernel &kernel_;
  const ExpressionGraph &graph_;
  std::map<ValueId, CarriedSum> sums_; ///< stay where they are
};

} // namespace warplint
