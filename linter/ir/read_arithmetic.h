// Reads the arithmetic of one IR function: instructions by pipe.
#pragma once
#include "ir/ir_graph.h"

namespace warplint {

/// By loops and condition, in the order of the code. `loops` are the kernel's.
std::vector<Arithmetic> readArithmetic(llvm::Function &function,
                                       IrGraph &graph);

} // namespace warplint
