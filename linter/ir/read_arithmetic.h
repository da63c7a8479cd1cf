// Reads the arithmetic of one IR function: instructions by pipe.
#pragma once
#include "ir/ir_graph.h"

namespace warplint {

/// By loops and condition, in the order of the code. `loops` are the kernel's.
std::vector<Arithmetic> readArithmetic(llvm::Function &function, IrGraph &graph);

/// Machine instructions that one thread executes for an instruction of the IR,
/// by pipe. Counts of divisions, roots and functions are those of nvcc 13.0
/// for sm_90 on the path of usual values.
Arithmetic workOf(const llvm::Instruction &instruction);

} // namespace warplint
