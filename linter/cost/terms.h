// An address or index as a sum of terms: how far it moves in each iteration,
// also where loaded data say where it begins.
#pragma once
#include "model/model.h"
#include <map>

namespace warplint {

/// A sum of values, each times a factor. What overflows is not followed:
/// counters do not.
using Terms = std::map<ValueId, int64_t>;

/// Adds `factor` times `value`; constants are left out.
void addTerms(const ExpressionGraph &graph, ValueId value, int64_t factor,
              Terms &terms);

/// The sum of those constants.
int64_t constantIn(const ExpressionGraph &graph, ValueId value);

/// The value behind what extends it or cuts it short.
ValueId withoutResizing(const ExpressionGraph &graph, ValueId value);

/// The values among which conditions choose one; empty for another value.
llvm::SmallVector<ValueId> alternativesOf(const ExpressionGraph &graph,
                                          ValueId value);

/// The two values of which a bound is the least: of `min(n, 12)`, and of
/// `12 < n ? 12 : n`; empty for another value.
llvm::ArrayRef<ValueId> valuesOfMinimum(const ExpressionGraph &graph,
                                        ValueId bound);

/// Returns true if one of `ops` is among the operations behind a value.
bool dependsOn(const ExpressionGraph &graph, ValueId value,
               std::initializer_list<Op> ops);

/// A value plus a constant.
struct ConstantSum {
  ValueId value;
  int64_t constant;
};

/// Takes a sum with a constant, or a difference from one, apart; none for
/// another value.
std::optional<ConstantSum> constantSum(const ExpressionGraph &graph,
                                       ValueId value);

/// What the counter moves by in each iteration, if that is a constant.
std::optional<int64_t> constantStep(const ExpressionGraph &graph,
                                    ValueId counter);

/// The bytes by which an address moves in each iteration of a loop, where that
/// is a constant: those of an element, of a structure or of a row. None for an
/// address with a part that is not followed.
std::optional<int64_t> bytesOfStep(const ExpressionGraph &graph,
                                   ValueId address, LoopId loop);

} // namespace warplint
