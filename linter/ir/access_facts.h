// Facts that follow from one access alone.
#pragma once
#include "model/model.h"
#include "llvm/IR/Instruction.h"

namespace warplint {

/// Sets whether the old value of an atomic is used, and what ptxas and the
/// hardware do with it; needs `bytes`.
void describeAtomic(const llvm::Instruction &instruction, Access &access);

/// Returns the memory space of `pointer`, which leads into `object`.
Space spaceOf(const llvm::Value *pointer, const llvm::Value *object);

/// Removes null from the values that an address may have: a dereferenced
/// pointer is not null, for example one from an allocation that may fail.
ValueId notNull(ExpressionGraph &graph, ValueId id, unsigned depth = 0);

} // namespace warplint
