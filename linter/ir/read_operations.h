// Reads the arithmetic of one IR function: operation by operation, and its sums
// by condition and loops.
#pragma once
#include "ir/ir_graph.h"
#include "ir/names.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include <map>

namespace warplint {

/// Adds `operations`, `inputs`, `written` and `arithmetic` to `kernel`, whose
/// values `graph` builds. `accessOf` gives the access of an instruction.
void readOperations(
    llvm::Function &function, llvm::LoopInfo &loops,
    llvm::ScalarEvolution &evolution, IrGraph &graph, const Names &names,
    const llvm::MapVector<const llvm::Instruction *, unsigned> &accessOf,
    Kernel &kernel);

/// Machine instructions that one thread executes for one of the IR, on the path
/// of usual values; 0 for what only names a value.
double instructionsOf(const llvm::Instruction &instruction);

} // namespace warplint
