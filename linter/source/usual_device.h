// What a host program hears of its GPU, taken to be the one that prices are
// for.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace warplint {

/// Returns the answer to a question by its name in the runtime or the driver: a
/// field of cudaDeviceProp ("multiProcessorCount"), "cudaDevAttrWarpSize", or
/// "CU_DEVICE_ATTRIBUTE_WARP_SIZE". Hosts compute grids and blocks from these.
std::optional<uint64_t> usualDevice(llvm::StringRef question);

} // namespace warplint
