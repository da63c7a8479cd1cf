// Compares the kernels that Clang read with those that nvcc made.
#pragma once
#include "machine/compiled.h"
#include "source/read.h"

namespace warplint {

/// Returns the mangled names, sorted, of the kernels in `compiled` that the
/// source has for nvcc and not for Clang. Kernels without a line of the user's
/// are left out: Clang skips host code of libraries, which may launch some.
std::vector<std::string> onlyCompiled(const SourceModel &model,
                                      const Compiled &compiled);

} // namespace warplint
