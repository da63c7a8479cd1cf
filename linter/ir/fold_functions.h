// Functions of libdevice whose argument is a constant.
#pragma once
#include "llvm/IR/Function.h"

namespace warplint {

/// Computes functions of one constant, `cosf(30 * PI / 180)`, as nvcc does;
/// true if there were any.
bool foldFunctions(llvm::Function &function);

} // namespace warplint
