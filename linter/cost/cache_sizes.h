// The bytes that each cache holds for the warps of a kernel, measured on an
// H200 and taken for all architectures.
#pragma once

namespace warplint {

/// L1 for all resident warps, less what shared memory takes (random loads from
/// 128 KB take 11 cycles of an SM for each request, from 512 KB 47).
constexpr double cachedInL1 = 128 * 1024;
/// Lines of 128 bytes for which L1 has a tag, whatever part of them is loaded
/// (H100: rows of 128 bytes of 2,048 lanes are loaded once, of 4,096 lanes 1.8
/// times, and 3 to 5 times with a gather of 32 lines in each iteration).
constexpr double linesInL1 = 2048;
/// Half of L2: each half keeps its own copy of what its SMs load (52 cycles
/// from 16 MB, 110 from 64 MB).
constexpr double cachedInL2 = 25e6;

/// The part of `bytes` that a cache of `held` bytes does not hold, if they are
/// touched in turn.
inline double missedPart(double bytes, double held) {
  return bytes > held ? 1 - held / bytes : 0;
}

} // namespace warplint
