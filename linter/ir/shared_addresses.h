// Which address arithmetic a compiler makes once: `a[i * 512 + j]` and
// `a[(i + 1) * 512 + j - 2]` share their sum of terms, and a constant distance
// is part of an access. Arrays share an index, to which each adds its pointer.
// What is computed on each path to a block serves it, too.
#pragma once
#include "ir/ir_graph.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <set>

namespace warplint {

class SharedAddresses {
public:
  SharedAddresses(llvm::Function &function, IrGraph &graph,
                  const ExpressionGraph &nodes);

  /// An integer operation that serves shared addresses alone, or an address
  /// that lies at a constant distance from an earlier one.
  bool isFree(const llvm::Instruction &instruction) const {
    return free_.contains(&instruction);
  }

  /// A sum of nodes, each times a factor; the constant is left out.
  using Terms = std::map<ValueId, int64_t>;

private:
  using Sums = std::set<Terms>;
  struct Added {
    std::vector<Sums::iterator> addresses, indexes;
  };
  Added readBlock(llvm::BasicBlock &block);
  void freeOperands(const llvm::Instruction &address);

  IrGraph &graph_;
  const ExpressionGraph &nodes_;
  Sums addresses_, indexes_; ///< of the block and of those that dominate it
  llvm::SmallPtrSet<const llvm::Instruction *, 32> free_;
  /// Addresses whose index an earlier one has.
  llvm::SmallPtrSet<const llvm::Instruction *, 32> served_;
};

} // namespace warplint
