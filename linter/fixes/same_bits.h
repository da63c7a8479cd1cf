// Two versions of a source's PTX to whether their kernels are one computation
// but for functions of one float that were tried for all floats.
#pragma once
#include "fixes/same_stores.h"

namespace warplint {

/// Compares instruction by instruction: the same accesses, branches and calls
/// in the same order, with the same values. Values that differ in how they are
/// computed from one float count as the same if all 2^32 floats give the same
/// bits.
bool haveSameBits(llvm::StringRef before, llvm::StringRef after,
                  llvm::ArrayRef<ComparedKernel> kernels);

} // namespace warplint
