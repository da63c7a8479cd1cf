// The branches of one IR function, with how much there is to do on each side.
#pragma once
#include "ir/ir_graph.h"

namespace warplint {

/// `locate` gives a branch its place, which it has from an instruction.
std::vector<Branch> readBranches(
    llvm::Function &function, const FunctionAnalyses &analyses, IrGraph &graph,
    llvm::ArrayRef<Loop> loops,
    llvm::function_ref<void(const llvm::Instruction &, Branch &)> locate);

} // namespace warplint
