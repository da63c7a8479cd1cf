// Computes the operands of values that loops carry after the query that met
// them: during the query, an unfinished value would look like a cycle without a
// loop.
#pragma once
#include "model/expression.h"
#include <functional>
#include <vector>

namespace warplint {

class CarriedOperands {
public:
  /// Runs `compute` once no query is under way.
  void later(std::function<void()> compute) {
    waiting_.push_back(std::move(compute));
  }

  /// Answers one public query, then computes what waits for its end.
  template <class Query> ValueId settled(Query query) {
    ++queries_;
    const ValueId id = query();
    --queries_;
    while (queries_ == 0 && !waiting_.empty()) {
      const std::function<void()> compute = std::move(waiting_.back());
      waiting_.pop_back();
      ++queries_;
      compute();
      --queries_;
    }
    return id;
  }

private:
  std::vector<std::function<void()>> waiting_;
  unsigned queries_ = 0; ///< under way
};

} // namespace warplint
