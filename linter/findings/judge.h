// Judges findings by the compiled code.
#pragma once
#include "findings/check.h"
#include "machine/compiled.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

/// Accesses, by the mangled name of their kernel.
using AccessesByKernel = std::map<std::string, std::vector<unsigned>>;

/// Judges every kernel of every finding, once for each compiled architecture,
/// and adds the findings of the `enabled` checks in the compiled code itself.
/// `kernels` are all of the source. Returns the `movedAccesses` of kernels with
/// findings, those that are moved on all architectures.
AccessesByKernel judge(std::vector<Finding> &findings,
                       const std::vector<CostedKernel> &kernels,
                       const Compiled &compiled,
                       const std::vector<const Check *> &enabled);

} // namespace warplint
