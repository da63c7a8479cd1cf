// Runs many independent pieces of work on a few threads.
#pragma once
#include "llvm/ADT/STLExtras.h"
#include <functional>

namespace warplint {

/// Deep enough for Clang and for the evaluation of long expressions. This is
/// address space; the system commits pages when they are touched.
inline constexpr unsigned deepStackBytes = 256u << 20;

/// Calls `work(i)` for each i below `count`, on `threads` threads (0: one for
/// each core) with stacks of `deepStackBytes`. If `work(i)` crashes, calls
/// `crashed(i)` and goes on.
void forEachInParallel(size_t count, unsigned threads,
                       std::function<void(size_t)> work,
                       std::function<void(size_t)> crashed);

} // namespace warplint
