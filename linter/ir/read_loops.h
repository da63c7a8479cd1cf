// Reads the loops of one IR function.
#pragma once
#include "ir/ir_graph.h"
#include "ir/names.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace warplint {

/// The blocks with barriers and fences, one entry for each of them.
struct Synchronisation {
  std::vector<const llvm::BasicBlock *> barriers, fences;
};

/// Returns the loops in the order of their ids. `values` is the graph that
/// `graph` builds.
std::vector<Loop> readLoops(IrGraph &graph, ExpressionGraph &values,
                            llvm::ScalarEvolution &scalarEvolution,
                            const Names &names,
                            const Synchronisation &synchronisation);

} // namespace warplint
