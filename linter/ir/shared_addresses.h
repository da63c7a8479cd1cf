// Which address arithmetic a compiler makes once: `a[i * 512 + j]` and
// `a[(i + 1) * 512 + j - 2]` share their sum of terms, and a constant distance
// is part of an access. Arrays share an index, to which each adds its pointer.
#pragma once
#include "ir/ir_graph.h"
#include "llvm/ADT/SmallPtrSet.h"

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

private:
  void readBlock(llvm::BasicBlock &block);
  void freeOperands(const llvm::Instruction &address);

  IrGraph &graph_;
  const ExpressionGraph &nodes_;
  llvm::SmallPtrSet<const llvm::Instruction *, 32> free_;
  /// Addresses whose index an earlier one has.
  llvm::SmallPtrSet<const llvm::Instruction *, 32> served_;
};

} // namespace warplint
