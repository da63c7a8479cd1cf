// The edit that keeps a local array with an index from data in registers.
#pragma once
#include "findings/fix.h"
#include "model/model.h"
#include <optional>

namespace warplint {

/// Loops over the elements of an array of few elements that choose the one.
/// None unless its unknown indexes are all data and in the kernel's own text:
/// another kernel may call a function.
std::optional<Fix> selectionFor(const Kernel &kernel, unsigned array);

} // namespace warplint
