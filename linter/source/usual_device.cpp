#include "source/usual_device.h"
#include "cost/throughput.h"
#include "llvm/ADT/StringSwitch.h"

namespace warplint {

std::optional<uint64_t> usualDevice(llvm::StringRef question) {
  constexpr uint64_t lanes = 32;
  constexpr uint64_t threadsInBlock = 1024; // of each capability from 2.0 on
  const Throughput &device = throughputOf(usualCapability);
  return llvm::StringSwitch<std::optional<uint64_t>>(question)
      .Cases({"multiProcessorCount", "cudaDevAttrMultiProcessorCount",
              "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT"},
             device.multiprocessors)
      .Cases({"maxThreadsPerMultiProcessor",
              "cudaDevAttrMaxThreadsPerMultiProcessor",
              "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR"},
             device.warps * lanes)
      .Cases({"maxThreadsPerBlock", "cudaDevAttrMaxThreadsPerBlock",
              "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK"},
             threadsInBlock)
      .Cases(
          {"warpSize", "cudaDevAttrWarpSize", "CU_DEVICE_ATTRIBUTE_WARP_SIZE"},
          lanes)
      .Default(std::nullopt);
}

} // namespace warplint
