// Finds the array layout of an access, by the marks of index_marks.h.
#pragma once
#include "ir/ir_graph.h"
#include "ir/names.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <map>
#include <tuple>

namespace warplint {

class IndexMarks {
public:
  IndexMarks(llvm::Function &function, const Names &names, IrGraph &graph);

  /// Returns the layout of the `a(i, j)` that computed `pointer` or contains
  /// the access.
  std::optional<ArrayLayout> layoutOf(const llvm::Instruction &access,
                                      const llvm::Value *pointer) const;

private:
  /// Identifies a call of `a(i, j)` across its inlined copies.
  using CallKey = std::tuple<unsigned, unsigned, const llvm::Metadata *,
                             const llvm::Metadata *>;
  static CallKey keyOf(const llvm::DILocation *location) {
    return {location->getLine(), location->getColumn(), location->getScope(),
            location->getInlinedAt()};
  }

  /// Returns the layout of the innermost `a(i, j)` in the user's code that led
  /// to `location`.
  std::optional<ArrayLayout> layoutOf(const llvm::DILocation *location) const;

  const Names &names_;
  IrGraph &graph_;
  std::map<CallKey, const llvm::CallBase *> marks_;
};

} // namespace warplint
