// Kernels whose launches pass memory that no two pointers share.
#pragma once
#include "model/model.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

/// Sets `hasOwnMemory` of each kernel, and how much is allocated for each
/// argument. `launches`: of all sources.
void settleOwnMemory(std::vector<Kernel> &kernels,
                     llvm::ArrayRef<Launch> launches);

} // namespace warplint
