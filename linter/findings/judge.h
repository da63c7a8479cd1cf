// Judges findings by the compiled code.
#pragma once
#include "findings/check.h"
#include "machine/compiled.h"
#include <vector>

namespace warplint {

/// Judges every kernel of every finding, once for each compiled architecture,
/// and adds the findings of the `enabled` checks in the compiled code itself.
/// `kernels` are all of the source.
void judge(std::vector<Finding> &findings,
           const std::vector<CostedKernel> &kernels, const Compiled &compiled,
           const std::vector<const Check *> &enabled);

} // namespace warplint
