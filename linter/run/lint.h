// Sources that were read to their findings, judged: cost, inspect, compile what
// is suspected, judge.
#pragma once
#include "run/batch.h"
#include "run/pipeline.h"

namespace warplint {

struct Lint {
  SeeSource see = nullptr;     ///< every source with kernels is shown
  Reported reported = nullptr; ///< the build's own compile
  bool keepsModels = false;    ///< in the batch, of what is linted
};

/// Lints the sources of the batch's share. Sources whose findings are in the
/// cache are neither read nor compiled, unless `see` is set.
Outcomes lint(Batch &batch, const Options &options, const Lint &request);

} // namespace warplint
