// Numbers that a loop has counted: the length of a list that it made, a radius
// at which it stopped.
#pragma once
#include "model/model.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace warplint {

/// Returns the most that a value can be after a loop that adds constants to it,
/// in each iteration or in some; `iterationsOf` says how many a loop has. None
/// for another value, and where it begins with what is not known.
std::optional<double>
mostCounted(const Kernel &kernel, Shape shape, ValueId value,
            llvm::function_ref<double(LoopId)> iterationsOf);

} // namespace warplint
