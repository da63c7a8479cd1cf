// The share of several findings that are one: what their remedies save together
// of a launch. The kernel is priced once more without all that they save; where
// one of them has no saving that is known, their shares add up.
#pragma once
#include "findings/finding.h"

namespace warplint {

class JointShare {
public:
  void add(double share, const std::optional<Saving> &saving);
  double share() const;
  /// None where the shares add up.
  const std::optional<Saving> &saving() const { return saving_; }

private:
  double sum_ = 0;
  unsigned count_ = 0;
  std::optional<Saving> saving_;
};

} // namespace warplint
