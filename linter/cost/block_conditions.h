// What conditions ask of a block's place in the grid.
#pragma once
#include "model/expression.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace warplint {

/// Returns true if not all blocks get the same answer from a condition, as far
/// as it says; what data decide is the same for all.
bool differsByBlock(const ExpressionGraph &graph, ValueId condition);

/// Returns true if a condition compares an index of the grid with a bound, such
/// as `blockIdx.x * 256 + offset < 1024`; what data decide is none.
bool hasGridBound(const ExpressionGraph &graph, ValueId condition);

/// Returns true if a condition wants an index of the grid to be one value, as
/// `y == height - 1` at the edge of a field does: few blocks have it.
bool isOfEdge(const ExpressionGraph &graph, ValueId condition);

/// Returns the unknown sizes by which a condition divides an index of the grid,
/// as in `blockIdx.x / size == 0`: they decide which blocks meet it. Leaves out
/// the nodes in `seen`, and adds those that it visits.
std::vector<ValueId> blockDivisors(const ExpressionGraph &graph,
                                   ValueId condition,
                                   llvm::DenseSet<ValueId> &seen);

} // namespace warplint
