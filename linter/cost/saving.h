// What a remedy saves of one launch, as it is kept with a finding: what several
// remedies save together is no sum of their shares. Once one of two takes a
// resource's time below that of another one, the second saves nothing more.
#pragma once
#include "cost/demand.h"

namespace warplint {

struct Saving {
  Demand now; ///< of the whole kernel
  Demand saved, instead;
  // The launch; of an unknown grid, the warps that are taken.
  double warps = 0, warpsPerBlock = 0;
  bool movesInLoops = false;
  unsigned capability = 0; ///< of the machine of `cost/throughput`

  bool isOfSameKernelAs(const Saving &other) const;
  /// Adds what another remedy of the same launch saves.
  Saving &operator+=(const Saving &other);
  /// From 0 to 1: how much less time the launch takes.
  double share() const;
};

} // namespace warplint
