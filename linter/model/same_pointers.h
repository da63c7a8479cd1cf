// Which pointer arguments of a launch are one pointer: `k<<<g, b>>>(a, a)`. In
// `Launched::arguments`, which has no value for a pointer, such arguments share
// a mark.
#pragma once
#include "model/model.h"

namespace warplint {

/// The mark of the pointers that are the same as the argument at `position`,
/// the first of them.
constexpr uint64_t samePointer(uint64_t position) {
  return uint64_t(1) << 63 | position;
}

/// Copies the marks of a launch to all others of its kernel: what one launch
/// passes twice, no promise may exclude. A shape without launches gets one that
/// says no more.
void spreadSamePointers(const Launch &launch, std::vector<KernelShape> &shapes);

/// The position of the argument that leads to the object; none if it is none.
std::optional<uint64_t> positionOf(const Kernel &kernel, ObjectId argument);

/// True if a launch passes one pointer as both objects, which are arguments of
/// the kernel.
bool arePassedAsOne(const Kernel &kernel, ObjectId a, ObjectId b);

} // namespace warplint
