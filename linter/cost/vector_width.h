// Finds accesses to shared memory that the compiler combines into one of 8 or
// 16 bytes, which may have fewer conflicts than its words.
#pragma once
#include "cost/lanes.h"

namespace warplint {

/// Bytes per lane of the instruction that executes the shared `access`: its
/// own, or 8 or 16 if other accesses of its region, or of the next iterations
/// of its unrolled loop, make up the rest of an aligned word of that size in
/// every lane, and nothing in between keeps them apart. Measured on an H200:
/// `t[4 * i] .. t[4 * i + 3]` has no conflict (LDS.128); four loads of 4 bytes
/// would have four ways each. The same holds for dynamic shared memory: nvcc
/// aligns it to 16 bytes (`.extern .shared .align 16`). ptxas moves no store
/// over another access to shared memory, and no load over a store, although
/// that one goes to another array: words of `a[k] = x; b[k] = y;` in an
/// unrolled loop stay apart, unless their type is aligned to the whole, as that
/// of a float4 is: LLVM has combined these before. ptxas combines only accesses
/// at constant offsets from one register: words with masked or separately
/// computed addresses stay apart (LDS.32 in the machine code of CUDA 13.0 for
/// sm_90; of what may stand in between, 29 orders were compiled).
unsigned vectorBytes(const Kernel &kernel, Shape shape, unsigned access);

/// The same for parts at constant offsets from one address, which the compiler
/// is sure to combine: of `s[(4 * i + k) & 1023]` it joins some words and not
/// others (STS.64 and two STS.32 for k = 0 to 3 in CUDA 13.0 for sm_90).
unsigned surelyVectorBytes(const Kernel &kernel, Shape shape, unsigned access);

} // namespace warplint
