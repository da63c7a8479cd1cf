// Judges findings by the compiled code.
#pragma once
#include "findings/check.h"
#include "machine/compiled.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

/// What the compiler executes less often than the source says.
struct CompiledAway {
  std::vector<unsigned> accesses;  ///< moved out of their innermost loop
  std::vector<unsigned> divisions; ///< replaced
};

/// By the mangled name of the kernel.
using CompiledAwayByKernel = std::map<std::string, CompiledAway>;

/// Judges every kernel of every finding, once for each compiled architecture,
/// and adds the findings of the `enabled` checks in the compiled code itself.
/// `kernels` are all of the source. Returns the `movedAccesses` and the
/// `goneDivisions` of kernels with findings, those of all architectures.
CompiledAwayByKernel judge(std::vector<Finding> &findings,
                           const std::vector<CostedKernel> &kernels,
                           const Compiled &compiled,
                           const std::vector<const Check *> &enabled);

} // namespace warplint
