// Loops over what another loop, with larger steps, leaves of a size.
#pragma once
#include "model/model.h"
#include <optional>

namespace warplint {

/// Returns how many elements lie at most between a loop's counter, when the
/// loop begins, and its bound, if the counter begins where another loop ended:
/// 3 for `i < n` after `i + 3 < n`. None if that is not seen.
std::optional<int64_t> leftByLoop(const Kernel &kernel, LoopId loop,
                                  ValueId counter, ValueId bound);

} // namespace warplint
