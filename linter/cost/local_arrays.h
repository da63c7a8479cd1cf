// How the local arrays of a kernel use the caches: whether the compiler can
// keep an array in registers, and how many pieces of memory a request touches
// where it cannot.
#pragma once
#include "cost/warp.h"

namespace warplint {

/// Returns true if ptxas selects the elements of an array of words that have an
/// unknown index: it is short, and few accesses have one. (CUDA 13 for sm_90,
/// some 200 arrays: one access outside of loops leaves 64 words in registers,
/// three 32, four 12, eight 8; one in a loop 2. Arrays with such indexes count
/// together. With elements of 1 and 8 bytes no array is left, nor a structure
/// with members of 8.)
bool isSelected(const Kernel &kernel, unsigned array);

/// Returns true if each index of the array is known once loops are unrolled, or
/// its elements are selected, so that it can lie in registers.
bool canBeInRegisters(const Kernel &kernel, unsigned array);

/// The sectors that one request to a local array touches. The words of a warp's
/// 32 arrays alternate in memory, so that lanes with one index touch one line,
/// and lanes with different ones a line each.
struct LocalRequest {
  double lines = 1;   ///< of 128 bytes
  double sectors = 4; ///< of 32 bytes
};

/// `address` in the lanes of `active`. Unknown indexes are taken to be equally
/// likely in each lane. `arrayBytes`: 0 if unknown.
LocalRequest localRequest(const LaneValues &address, uint32_t active,
                          unsigned bytes, uint64_t arrayBytes);

} // namespace warplint
