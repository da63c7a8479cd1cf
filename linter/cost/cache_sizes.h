// The bytes that each cache holds for the warps of a kernel, measured on an
// H200 and taken for all architectures.
#pragma once

namespace warplint {

/// L1 for all resident warps, less what shared memory takes (random loads from
/// 128 KB take 11 cycles of an SM for each request, from 512 KB 47).
constexpr double cachedInL1 = 128 * 1024;
/// Half of L2: each half keeps its own copy of what its SMs load (52 cycles
/// from 16 MB, 110 from 64 MB).
constexpr double cachedInL2 = 25e6;

} // namespace warplint
