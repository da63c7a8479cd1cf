// Reads the branches of one IR function, with the work on each side.
#pragma once
#include "ir/ir_graph.h"

namespace warplint {

/// `locate` sets a branch's place from its instruction.
std::vector<Branch> readBranches(
    llvm::Function &function, const FunctionAnalyses &analyses, IrGraph &graph,
    llvm::ArrayRef<Loop> loops,
    llvm::function_ref<void(const llvm::Instruction &, Branch &)> locate);

} // namespace warplint
