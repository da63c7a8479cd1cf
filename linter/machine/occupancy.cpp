#include "machine/occupancy.h"
#include "base/failure.h"
#include "cuda_occupancy.h"
#include "model/expression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace warplint {
namespace {

/// Limits that differ between compute capabilities; all have 1024 threads in a
/// block and 64 K registers in an SM.
struct Capability {
  unsigned major, minor;
  unsigned threads;           ///< resident on one SM
  unsigned registersPerBlock; ///< in units of 1024
  unsigned sharedMemory;      ///< of one SM, in KiB
  unsigned sharedPerBlock;    ///< that a kernel may ask for, in KiB
  unsigned reserved;          ///< by the driver, of every block, in KiB
};

/// From "Technical Specifications per Compute Capability" of the CUDA C++
/// Programming Guide: 12.9 up to 7.2, 13.0 from 7.5 on. The maximum of blocks
/// on an SM and the allocation units are from NVIDIA's header. The guide has no
/// row for 8.8, so this table has none.
constexpr Capability capabilities[] = {
    {5, 0, 2048, 64, 64, 48, 0},    {5, 2, 2048, 64, 96, 48, 0},
    {5, 3, 2048, 32, 64, 48, 0},    {6, 0, 2048, 64, 64, 48, 0},
    {6, 1, 2048, 64, 96, 48, 0},    {6, 2, 2048, 32, 64, 48, 0},
    {7, 0, 2048, 64, 96, 96, 0},    {7, 2, 2048, 64, 96, 96, 0},
    {7, 5, 1024, 64, 64, 64, 0},    {8, 0, 2048, 64, 164, 163, 1},
    {8, 6, 1536, 64, 100, 99, 1},   {8, 7, 1536, 64, 164, 163, 1},
    {8, 9, 1536, 64, 100, 99, 1},   {9, 0, 2048, 64, 228, 227, 1},
    {10, 0, 2048, 64, 228, 227, 1}, {10, 3, 2048, 64, 228, 227, 1},
    {11, 0, 1536, 64, 228, 227, 1}, {12, 0, 1536, 64, 100, 99, 1},
    {12, 1, 1536, 64, 100, 99, 1},
};

/// Parses "sm_90", "sm_90a", "sm_100f".
Expected<cudaOccDeviceProp> deviceOf(const std::string &architecture) {
  StringRef digits = architecture;
  unsigned number = 0;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, number))
    return failure("no GPU architecture is called '" + architecture + "'");
  const Capability *found = find_if(capabilities, [&](const Capability &each) {
    return each.major == number / 10 && each.minor == number % 10;
  });
  if (found == std::end(capabilities))
    return failure("how much an SM of " + architecture +
                   " holds is not known here");
  cudaOccDeviceProp device;
  device.computeMajor = found->major;
  device.computeMinor = found->minor;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = found->threads;
  device.regsPerBlock = found->registersPerBlock * 1024;
  device.regsPerMultiprocessor = 64 * 1024;
  device.warpSize = warpSize;
  device.sharedMemPerBlock = 48 * 1024;
  device.sharedMemPerMultiprocessor = found->sharedMemory * 1024;
  device.sharedMemPerBlockOptin = found->sharedPerBlock * 1024;
  device.reservedSharedMemPerBlock = found->reserved * 1024;
  device.numSms = 1; // required, but irrelevant for one SM
  return device;
}

/// The resources that a block takes of the SM.
struct Block {
  unsigned threads, registers, staticMemory, dynamicMemory, barriers;
};

Expected<cudaOccResult> onDevice(const cudaOccDeviceProp &device,
                                 const Block &block) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = block.registers;
  attributes.sharedSizeBytes = block.staticMemory;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = block.dynamicMemory;
  attributes.numBlockBarriers = block.barriers;
  cudaOccResult result = {};
  cudaOccDeviceState state;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(
          &result, &device, &attributes, &state, block.threads,
          block.dynamicMemory) != CUDA_OCC_SUCCESS)
    return failure("the occupancy of blocks of " + Twine(block.threads) +
                   " threads cannot be computed");
  return result;
}

/// NVIDIA's `limitingFactors` still names the others where barriers limit more.
std::vector<OccupancyLimit> limitsOf(const cudaOccResult &result) {
  std::vector<OccupancyLimit> limits;
  for (auto [blocks, limit] : {
           std::pair(result.blockLimitRegs, OccupancyLimit::Registers),
           std::pair(result.blockLimitSharedMem, OccupancyLimit::SharedMemory),
           std::pair(result.blockLimitWarps, OccupancyLimit::Warps),
           std::pair(result.blockLimitBlocks, OccupancyLimit::Blocks),
           std::pair(result.blockLimitBarriers, OccupancyLimit::Barriers),
       })
    if (blocks == result.activeBlocksPerMultiprocessor)
      limits.push_back(limit);
  return limits;
}

unsigned warpsOf(unsigned threads) {
  return (threads + warpSize - 1) / warpSize;
}

/// Returns the largest amount below `now` for which `fits` is true; the larger
/// the amount, the fewer blocks fit.
template <typename Fits>
std::optional<unsigned> largestBelow(unsigned now, Fits fits) {
  unsigned fitting = 0, tooMuch = now;
  if (!fits(fitting))
    return std::nullopt;
  while (tooMuch - fitting > 1) {
    unsigned middle = fitting + (tooMuch - fitting) / 2;
    (fits(middle) ? fitting : tooMuch) = middle;
  }
  return fitting;
}

/// Computes what one more block needs: less of each current limit.
std::optional<OccupancyStep> nextStep(const cudaOccDeviceProp &device,
                                      const Block &block,
                                      const cudaOccResult &now) {
  const int wanted = now.activeBlocksPerMultiprocessor + 1;
  if (now.blockLimitWarps < wanted || now.blockLimitBlocks < wanted ||
      now.blockLimitBarriers < wanted || now.blockLimitVirtual < wanted)
    return std::nullopt;
  auto limitOf = [&](const Block &changed, int cudaOccResult::*limit) {
    auto result = onDevice(device, changed);
    if (result)
      return (*result).*limit;
    consumeError(result.takeError());
    return 0;
  };
  OccupancyStep step;
  Block changed = block;
  if (now.blockLimitRegs < wanted) {
    step.registers = largestBelow(block.registers, [&](unsigned registers) {
      Block fewer = block;
      fewer.registers = registers;
      return limitOf(fewer, &cudaOccResult::blockLimitRegs) >= wanted;
    });
    if (!step.registers.value_or(0))
      return std::nullopt; // every kernel uses some
    changed.registers = *step.registers;
  }
  if (now.blockLimitSharedMem < wanted) {
    step.sharedMemory = largestBelow(
        block.staticMemory + block.dynamicMemory, [&](unsigned bytes) {
          Block less = block;
          less.staticMemory = 0;
          less.dynamicMemory = bytes;
          return limitOf(less, &cudaOccResult::blockLimitSharedMem) >= wanted;
        });
    if (!step.sharedMemory)
      return std::nullopt;
    changed.staticMemory = 0;
    changed.dynamicMemory = *step.sharedMemory;
  }
  step.blocks = limitOf(changed, &cudaOccResult::activeBlocksPerMultiprocessor);
  step.warps = step.blocks * warpsOf(block.threads);
  return step;
}

Block blockOf(const Usage &usage, unsigned threads,
              unsigned dynamicSharedMemory) {
  return {threads, usage.registers, usage.sharedMemory, dynamicSharedMemory,
          usage.barriers.value_or(1)};
}

} // namespace

const char *spelling(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::SharedMemory:
    return "shared memory";
  case OccupancyLimit::Warps:
    return "warps";
  case OccupancyLimit::Blocks:
    return "blocks";
  case OccupancyLimit::Barriers:
    return "barriers";
  }
  return "";
}

bool Occupancy::limitedBy(OccupancyLimit limit) const {
  return is_contained(limits, limit);
}

Expected<Occupancy> occupancy(const Usage &usage, unsigned threads,
                              unsigned dynamicSharedMemory) {
  if (!usage.registers)
    return failure("the registers of the kernel are not known");
  auto device = deviceOf(usage.architecture);
  if (!device)
    return device.takeError();
  const Block block = blockOf(usage, threads, dynamicSharedMemory);
  auto result = onDevice(*device, block);
  if (!result)
    return result.takeError();
  Occupancy found;
  found.blocks = result->activeBlocksPerMultiprocessor;
  found.warps = found.blocks * warpsOf(threads);
  found.maxWarps = device->maxThreadsPerMultiprocessor / warpSize;
  found.limits = limitsOf(*result);
  found.next = nextStep(*device, block, *result);
  return found;
}

Expected<OccupancyOfBlock> bestBlock(const Usage &usage, unsigned threads,
                                     unsigned dynamicSharedMemory) {
  auto distance = [&](unsigned other) {
    return other > threads ? other - threads : threads - other;
  };
  OccupancyOfBlock best;
  for (unsigned size = warpSize; size <= 1024; size += warpSize) {
    auto found = occupancy(usage, size, dynamicSharedMemory);
    if (!found)
      return found.takeError();
    if (found->warps > best.warps ||
        (found->warps == best.warps && distance(size) < distance(best.threads)))
      best = {size, found->blocks, found->warps};
  }
  return best;
}

} // namespace warplint
