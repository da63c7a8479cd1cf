// Loops that are short whatever the sizes are: over what larger steps leave, or
// up to a value of few bits.
#pragma once
#include "model/model.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace warplint {

/// Returns how many elements lie at most between a loop's counter, when the
/// loop begins, and its bound, if the counter begins where another loop ended:
/// 3 for `i < n` after `i + 3 < n`. None if that is not seen.
std::optional<int64_t> leftByLoop(const Kernel &kernel, LoopId loop,
                                  ValueId counter, ValueId bound);

/// Returns how far a counter can move from its first value to the bound, if
/// operations limit that: 7 of `i < (flags & 7)`, 3 from `n - n % 4` to `n`, 16
/// from `first` to `min(first + 16, n)`, and to what another loop has counted
/// as many as that one's iterations.
std::optional<double>
mostBetween(const Kernel &kernel, Shape shape, ValueId counter, ValueId bound,
            llvm::function_ref<double(LoopId)> iterationsOf);

} // namespace warplint
