// Findings and what the compiler made of their source to judged findings.
#pragma once
#include "compiled/compiled.h"
#include "findings/costed.h"
#include "findings/finding.h"
#include <vector>

namespace warplint {

/// Gives every kernel of every finding its judgement, one for each architecture
/// that was compiled. `kernels` are those that the source's findings are in.
void judge(std::vector<Finding> &findings,
           const std::vector<CostedKernel> &kernels, const Compiled &compiled);

} // namespace warplint
