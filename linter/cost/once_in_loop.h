// Finds conditions that hold once in a loop: a counter or a flag still has its
// first value, and the code under the condition changes it for good, as in
// `if (count == 0) first = i; ++count;`.
#pragma once
#include "model/model.h"
#include <optional>

namespace warplint {

/// The counter or the flag for which a lane executes code under all of
/// `conditions` in one iteration of the loop at most; none if nothing says so.
std::optional<ValueId> changedForGood(const Kernel &kernel, LoopId loop,
                                      llvm::ArrayRef<ValueId> conditions);

/// Returns true for an access that a lane makes once in the loop for that
/// reason.
bool isDoneOnce(const Kernel &kernel, const Access &access, LoopId loop);

} // namespace warplint
