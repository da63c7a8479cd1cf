// Translates what a call returns: registers of the thread, votes and shuffles
// of its warp, functions that compute integers, and inline assembly.
#pragma once
#include "model/expression.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace warplint {

/// Returns the value of a call in `graph`; nullopt for a function of its
/// operands alone that is not followed. `valueOf` translates an operand, and
/// `reach` the condition under which a thread makes the call.
std::optional<ValueId>
callValue(const llvm::CallBase &call, ExpressionGraph &graph,
          llvm::function_ref<ValueId(const llvm::Value *operand)> valueOf,
          llvm::function_ref<ValueId()> reach);

} // namespace warplint
