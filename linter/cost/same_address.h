// Whether iterations, warps and blocks use one address.
#pragma once
#include "cost/warp.h"
#include <optional>

namespace warplint {

/// True if the address is the same in each iteration of `loop` in every lane;
/// false if it differs between two successive ones; nothing if unknown, or if
/// it is the same in these two but may differ in others, as `i / width` may.
std::optional<bool> sameAddressNextIteration(const Kernel &kernel, Shape shape,
                                             const Access &access, LoopId loop);

/// Returns true if all lanes of all warps of all blocks use one address in the
/// same iteration of the loops around it; false if unknown.
bool sameAddressForAll(const Kernel &kernel, Shape shape, const Access &access);

/// Returns true if `value`, which is the same in two neighbouring blocks, may
/// differ in others, as `(blockIdx.x * 256 + threadIdx.x) / 1024` does.
bool mayDifferByBlock(Evaluation &evaluation, Shape shape, ValueId value);

} // namespace warplint
