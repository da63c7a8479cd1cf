// What a condition rests on, and its parts.
#pragma once
#include "model/model.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace warplint {

/// Returns true if a value depends on memory. A member of a structure that the
/// launch passes, such as a span's size, is an argument.
bool dependsOnData(const Kernel &kernel, ValueId value);

/// Returns true for an operation whose result grows evenly with its inputs.
bool isLinear(Op op);

/// Adds the conditions that have to hold together for `value` to hold.
void addConditions(const ExpressionGraph &graph, ValueId value,
                   std::vector<ValueId> &conditions);

/// What is known of a condition.
enum class Truth { No, Yes, Maybe };

/// That of a negation, a conjunction or a disjunction, by the truth of its
/// parts; `Maybe` for another condition.
Truth truthOfParts(const ExpressionGraph &graph, ValueId condition,
                   llvm::function_ref<Truth(ValueId)> truthOf);

/// Adds the conditions under which the loops inside `loop` begin: code in them
/// has one that says whether they go on.
std::vector<ValueId> withEntries(const ExpressionGraph &graph, LoopId loop,
                                 llvm::ArrayRef<ValueId> conditions);

} // namespace warplint
