// The check for kernels that take more than at an earlier commit.
#pragma once
#include "findings/check.h"

namespace warplint {

/// Not enrolled, since it compares two versions of a kernel; `findCheck` knows
/// it.
const Check &worseKernel();

} // namespace warplint
