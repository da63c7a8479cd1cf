#include "findings/joint_share.h"
#include <algorithm>
#include <cmath>

namespace warplint {

/// Returns true if the share is that of the saving: a check may have raised it.
static bool isShareOf(double share, const Saving &saving) {
  constexpr double same = 1e-6;
  return std::abs(saving.share() - share) < same;
}

void JointShare::add(double share, const std::optional<Saving> &saving) {
  sum_ = std::min(1.0, sum_ + share);
  const bool isKnown = saving && isShareOf(share, *saving);
  if (!count_++)
    saving_ = isKnown ? saving : std::nullopt;
  else if (saving_ && isKnown && saving_->isOfSameKernelAs(*saving))
    *saving_ += *saving;
  else
    saving_.reset();
}

double JointShare::share() const { return saving_ ? saving_->share() : sum_; }

} // namespace warplint
