// Findings and what the compiler made of their source to judged findings.
#pragma once
#include "findings/check.h"
#include "machine/compiled.h"
#include <vector>

namespace warplint {

/// Gives every kernel of every finding its judgement, one for each architecture
/// that was compiled, and adds what the compiled code of these kernels shows
/// the `enabled` checks by itself. `kernels` are all of the source.
void judge(std::vector<Finding> &findings,
           const std::vector<CostedKernel> &kernels, const Compiled &compiled,
           const std::vector<const Check *> &enabled);

} // namespace warplint
