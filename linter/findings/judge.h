// Findings and what the compiler made of their source to judged findings.
#pragma once
#include "compiled/compiled.h"
#include "findings/finding.h"
#include "model/model.h"
#include <vector>

namespace warplint {

/// Gives every kernel of every finding its judgement, one for each architecture
/// that was compiled. `kernels` are those of the source, with their shapes.
void judge(std::vector<Finding> &findings, const std::vector<Kernel> &kernels,
           const Compiled &compiled);

} // namespace warplint
