// Finds conditions that have one value wherever a launch asks for them: the
// same words about variables that nothing changes.
#pragma once
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/FoldingSet.h"
#include <map>
#include <vector>

namespace warplint {

class SameConditions {
public:
  using IsChanged = llvm::function_ref<bool(const clang::VarDecl *)>;

  struct Asked {
    const clang::Expr *first = nullptr; ///< of these words that was asked for
    bool isNegated = false;
  };

  /// Null for a condition that may have another value in another place.
  Asked of(const clang::Expr *condition, const clang::ASTContext &context,
           IsChanged isChanged);

private:
  std::map<unsigned,
           std::vector<std::pair<llvm::FoldingSetNodeID, const clang::Expr *>>>
      known_; ///< by hash
};

} // namespace warplint
