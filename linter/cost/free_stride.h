// An address to whether its steps are all the caller's: `p[i * s0 + j * s1]`,
// where one of the strides is 1, but only the run knows which.
#pragma once
#include "model/model.h"

namespace warplint {

/// Whether everything that varies in `address` is multiplied by a value that
/// only the run knows, and by several of them. In `a[row * n + k]` the counter
/// `k` runs along the row, so `n` is its length, and large; where nothing goes
/// by a step of its own, nothing says which stride is the small one.
bool hasFreeStrides(const Kernel &kernel, ValueId address);

} // namespace warplint
