// Many independent pieces of work on a few threads.
#pragma once
#include "llvm/ADT/STLExtras.h"
#include <functional>

namespace warplint {

/// Deep enough for Clang and for the evaluation of long expressions. Address
/// space, not memory: pages are taken as they are touched.
inline constexpr unsigned deepStackBytes = 256u << 20;

/// Calls `work(i)` for each i below `count`, on `threads` threads with stacks
/// deep enough for Clang and for the evaluation of long expressions. A crash in
/// a piece of work ends that piece alone: `crashed(i)` is called in its place.
void forEachInParallel(size_t count, unsigned threads,
                       std::function<void(size_t)> work,
                       std::function<void(size_t)> crashed);

} // namespace warplint
