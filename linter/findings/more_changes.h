// Edits that checks ask for besides those of findings/fix.h, which most files
// include. Each has a number of its own after the last one there.
#pragma once
#include "findings/fix.h"

namespace warplint {

/// The call of a power at `at`: `name` is what takes its place, with '@' for
/// the base.
inline constexpr Change ReplacePower = Change(unsigned(Change::Restrict) + 1);

/// The elements `name`, "a[i]; *b", that the loop at `at` reads, before it.
/// `number`: its trip count; 0 if only the run knows it.
inline constexpr Change LoadOnce = Change(unsigned(Change::Restrict) + 2);

inline constexpr Change lastChange = LoadOnce;

} // namespace warplint
