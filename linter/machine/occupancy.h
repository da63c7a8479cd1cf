// What a kernel uses and the size of its blocks to theoretical occupancy: how
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

/// What keeps another block off the SM.
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

/// Another number of threads in a block, all else being equal.
struct OccupancyOfBlock {
  unsigned threads = 0, blocks = 0, warps = 0;
};

struct Occupancy {
  unsigned blocks = 0;   ///< on one SM; 0: such a block cannot be launched
  unsigned warps = 0;    ///< on one SM, those of `blocks`
  unsigned maxWarps = 0; ///< that the SM can hold
  /// All that stop at that number of blocks; never empty.
  std::vector<OccupancyLimit> limits;
  /// None if blocks of this size can be no more: warps, blocks or barriers
  /// limit them.
  std::optional<OccupancyStep> next;

  double percent() const { return maxWarps ? 100.0 * warps / maxWarps : 0; }
  bool limitedBy(OccupancyLimit limit) const;
};

/// For blocks of `threads` that are launched with `dynamicSharedMemory` bytes,
/// on the architecture that `usage` names. More than 48 KiB are taken for
/// allowed (cudaFuncAttributeMaxDynamicSharedMemorySize), the carve-out for the
/// largest, and what the driver reserves of every block is counted in. Fails,
/// with a sentence, on an architecture that is not known, and if the registers
/// are not.
llvm::Expected<Occupancy> occupancy(const Usage &usage, unsigned threads,
                                    unsigned dynamicSharedMemory = 0);

/// The number of threads, in whole warps, with which most warps fit; of several
/// the one nearest to `threads`. Fails as `occupancy` does.
llvm::Expected<OccupancyOfBlock> bestBlock(const Usage &usage, unsigned threads,
                                           unsigned dynamicSharedMemory = 0);

} // namespace warplint
