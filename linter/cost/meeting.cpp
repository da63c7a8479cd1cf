#include "cost/meeting.h"

namespace warplint {

namespace {

// Measured with kernels of nothing but atomics (kernels/contended-atomic.cu):
// 16 lanes of a warp on one address take 3 times as long as one lane per
// address, 8 lanes 1.5 times; 32 addresses for all blocks 16 times; bins that
// data select 58 times with 256 bins, 7 times with 1024, 2.5 times with 4096.
// In shared memory 8 lanes to one float take 3 times as long as 2.
constexpr double lanesMeet = 16, lanesMeetInShared = 8, threadsMeet = 8;

/// At least half of the block's threads execute it.
bool byMost(const Contention &seen) { return seen.share >= 0.5; }

/// Returns true if it costs even if loaded data guard it: sums that the
/// compiler does not combine take 4 times as long if one lane of a hundred adds
/// (measured). Counts, flags and maxima are often rare, and cheaper.
bool isDearOnData(const Access &access) {
  return access.isSum && !access.isNativeAtomic && !access.isCombined &&
         !access.resultUsed;
}

bool meetsInShared(const Access &access, const Contention &seen) {
  return !access.isNativeAtomic && seen.known && !isPerhapsRare(access, seen) &&
         byMost(seen) && seen.lanesPerAddress() >= lanesMeetInShared;
}

bool meetsInGlobal(const Access &access, const Contention &seen) {
  if (!byMost(seen) || isPerhapsRare(access, seen))
    return false;
  if (!seen.known)
    return seen.mostAddresses && *seen.mostAddresses <= fewAddresses;
  return seen.lanesPerAddress() >= lanesMeet ||
         (seen.sameInAllBlocks && seen.perAddress >= threadsMeet);
}

/// Returns true if the blocks of a known grid together update an address so
/// often that this takes as long as a small kernel: 8192 additions of floats
/// take 15 us. One thread can make the update for its block; where all threads
/// update, each its own address, it can make that of several blocks (measured:
/// 'b[threadIdx.x]' in 65536 blocks takes 640 us, stores elsewhere 60).
bool meetsInGrid(const Access &access, const KernelShape &shape,
                 const Contention &seen) {
  constexpr double updatesMeet = 8192;
  return seen.known && seen.sameInAllBlocks && !seen.guardedByData &&
         access.isSum && !access.resultUsed &&
         (seen.perAddress >= 2 || byMost(seen)) && !shape.grids.empty() &&
         seen.perAddress * double(shape.grids.back()) >= updatesMeet;
}

/// One lane can update for its warp. A loop that tries until its
/// compare-and-swap succeeds updates, too.
bool canBeOfOneLane(const Access &access) {
  return !access.standsAlone || (access.resultUsed && !access.loops.empty());
}

} // namespace

bool isPerhapsRare(const Access &access, const Contention &seen) {
  // A histogram of some of the values is not rare.
  return seen.guardedByData &&
         (seen.known ? !isDearOnData(access) : access.resultUsed);
}

Meet meeting(const Access &access, Space space, const KernelShape &shape,
             const Contention &seen) {
  if (access.operation != Operation::Atomic || !canBeOfOneLane(access))
    return Meet::Not;
  switch (space) {
  case Space::Shared:
    return meetsInShared(access, seen) ? Meet::InBlock : Meet::Not;
  case Space::Global:
  case Space::Unknown:
    if (meetsInGlobal(access, seen))
      return Meet::InBlock;
    return meetsInGrid(access, shape, seen) ? Meet::InGrid : Meet::Not;
  default:
    return Meet::Not;
  }
}

} // namespace warplint
