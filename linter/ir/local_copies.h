// Copies of structures between locals, in code that has many of them.
#pragma once
#include "llvm/IR/Function.h"

namespace warplint {

/// Copies each small structure between two locals part by part, if the function
/// has many such copies, as unrolled code on an array of structures has. For
/// each copy that SROA replaces, it reads all uses of the other local again:
/// the unrolled rounds of a hash took 29 s, of which 24 s went there.
void copyLocalsByPart(llvm::Function &function);

} // namespace warplint
