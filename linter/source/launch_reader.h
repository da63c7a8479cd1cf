// A launch's grid and block to numbers, as far as they are constant.
#pragma once
#include "model/model.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

namespace warplint {

using Dimensions = std::array<std::optional<uint64_t>, 3>;

/// Variables that something other than their initialiser gives a value.
class ChangedVariables {
public:
  void note(const clang::Stmt *statement); ///< any statement of the source
  bool contains(const clang::VarDecl *variable) const {
    return changed_.contains(variable);
  }

private:
  llvm::DenseSet<const clang::VarDecl *> changed_;
};

/// A dim3 or an integer.
Dimensions readDimensions(clang::ASTContext &context,
                          const ChangedVariables &changed,
                          const clang::Expr *expression);

} // namespace warplint
