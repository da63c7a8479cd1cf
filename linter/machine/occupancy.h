// Computes theoretical occupancy from a kernel's use and its block size: how
// many of its blocks one multiprocessor (SM) can hold at a time, what limits
// them, and how much less of it would let in more.
//
// The arithmetic is NVIDIA's own, in the toolkit's cuda_occupancy.h; what each
// architecture has is from the CUDA programming guide's table of technical
// specifications by compute capability.
#pragma once
#include "machine/compiled.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// The resource that prevents another block on the SM.
enum class OccupancyLimit { Registers, SharedMemory, Warps, Blocks, Barriers };

/// "registers", "shared memory", "warps", "blocks", "barriers".
const char *spelling(OccupancyLimit limit);

/// The next higher number of blocks, and what the block may use of each thing
/// that limits it now for that many to fit.
struct OccupancyStep {
  unsigned blocks = 0, warps = 0;       ///< on one SM
  std::optional<unsigned> registers;    ///< per thread, at most
  std::optional<unsigned> sharedMemory; ///< per block in bytes, static and
                                        ///< dynamic together, at most
};

/// Another number of threads in a block, everything else equal.
struct OccupancyOfBlock {
  unsigned threads = 0, blocks = 0, warps = 0;
};

struct Occupancy {
  unsigned blocks = 0;   ///< on one SM; 0: such a block cannot be launched
  unsigned warps = 0;    ///< on one SM, those of `blocks`
  unsigned maxWarps = 0; ///< that the SM can hold
  /// All limits at that number of blocks; never empty.
  std::vector<OccupancyLimit> limits;
  /// No value if no more blocks of this size fit for other reasons: warps,
  /// blocks or barriers.
  std::optional<OccupancyStep> next;

  double percent() const { return maxWarps ? 100.0 * warps / maxWarps : 0; }
  bool limitedBy(OccupancyLimit limit) const;
};

/// Computes the occupancy for blocks of `threads` launched with
/// `dynamicSharedMemory` bytes, on the architecture in `usage`. Assumes that
/// more than 48 KiB are allowed (cudaFuncAttributeMaxDynamicSharedMemorySize)
/// and the largest carve-out; counts the driver's share of every block. Fails,
/// with a sentence, if the architecture or the registers are unknown.
llvm::Expected<Occupancy> occupancy(const Usage &usage, unsigned threads,
                                    unsigned dynamicSharedMemory = 0);

/// Returns the number of threads, in whole warps, with which the most warps
/// fit; of several, the one nearest to `threads`. Fails as `occupancy` does.
llvm::Expected<OccupancyOfBlock> bestBlock(const Usage &usage, unsigned threads,
                                           unsigned dynamicSharedMemory = 0);

} // namespace warplint
