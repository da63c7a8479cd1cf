// The block that is assumed where no launch or option gives one.
#pragma once
#include "model/model.h"

namespace warplint {

/// 256 threads: in one row where nothing is indexed by threadIdx.y or .z, else
/// 32x8 or 32x4x2, so that a warp is one row. Smaller rows where the kernel
/// says so: by `blockIdx.x * 16 + threadIdx.x`, or by arrays in shared memory
/// that such a block would leave, or whose elements two of its threads would
/// store. `bound`: the most threads that the launch bounds allow, of which such
/// a block has all, if it can.
Shape assumedBlock(const Kernel &kernel, std::optional<unsigned> bound = {});

} // namespace warplint
