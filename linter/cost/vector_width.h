// Which accesses to shared memory the compiler makes one of 8 or 16 bytes: what
// conflicts word by word may not do so as a whole.
#pragma once
#include "cost/lanes.h"

namespace warplint {

/// Bytes that one lane moves with the instruction that does `access`, a shared
/// one: its own, or 8 or 16 if other accesses of its straight line of code, or
/// of the next iterations of its unrolled loop, make up the rest of an aligned
/// word of that size in every lane, and nothing in between touches it. Measured
/// on an H200: `t[4 * i] .. t[4 * i + 3]` has no conflict (LDS.128), four loads
/// of 4 bytes would have four ways each. Dynamic shared memory is no other:
/// nvcc aligns it to 16 bytes (`.extern .shared .align 16`). In PTX only what
/// one register addresses is put together, at constant distances: masked or
/// otherwise computed each by itself, words stay apart (LDS.32 in the machine
/// code of CUDA 13.0 for sm_90).
unsigned vectorBytes(const Kernel &kernel, Shape shape, unsigned access);

} // namespace warplint
