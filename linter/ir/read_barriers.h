// Reads the barriers of one IR function at which all threads of a block wait.
#pragma once
#include "ir/ir_graph.h"

namespace warplint {

/// Returns true for __syncthreads and the like; false for named barriers of
/// some of the threads, and for those of warps and clusters.
bool isBlockBarrier(const llvm::CallBase &call);

/// In the order of the code. `locate` sets a barrier's place from its
/// instruction.
std::vector<Barrier> readBarriers(
    llvm::Function &function, IrGraph &graph,
    llvm::function_ref<void(const llvm::Instruction &, Barrier &)> locate);

} // namespace warplint
