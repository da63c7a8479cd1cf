// What an address is made from.
#pragma once
#include "model/model.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

/// The nodes that an address starts from, through sums, loops and choices:
/// objects, parameters, loaded pointers, and the indexes that are added to
/// them.
llvm::SmallVector<ValueId, 4> addressRoots(const ExpressionGraph &graph,
                                           ValueId address);

/// Those that lie in memory: objects, and what was loaded.
llvm::SmallVector<ValueId, 4> rootsInMemory(const ExpressionGraph &graph,
                                            ValueId address);

/// The space of the address's bases, if they share one. Loaded pointers count
/// as pointers to global memory.
Space spaceOfBases(const Kernel &kernel, ValueId address);

} // namespace warplint
