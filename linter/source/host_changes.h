// What statements of host code change in variables.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace warplint {

/// The members that lead to a part of a variable: `.blockDim.x`.
using MemberPath = llvm::SmallVector<const clang::FieldDecl *, 3>;

/// A change to a variable by a statement itself, without its substatements.
struct Change {
  const clang::VarDecl *variable = nullptr;
  MemberPath path;
  const clang::Expr *value = nullptr; ///< null: something unknown
  std::optional<uint64_t> number;     ///< in place of `value`
  std::optional<clang::BinaryOperatorKind>
      with; ///< applied to the previous value
  const clang::Stmt *at = nullptr;
};

/// Visits the changes that a statement makes, without its substatements; what a
/// call may change has no value.
void changesOf(const clang::Stmt *statement,
               llvm::function_ref<void(const Change &)> visit);

/// The variable and the part of it that an lvalue denotes; null if it is none,
/// or is behind a pointer.
const clang::VarDecl *placeOf(const clang::Expr *expression, MemberPath &path);

/// The variable that an expression is, is part of or points into; null if
/// there is none.
const clang::VarDecl *rootVariable(const clang::Expr *expression);

/// The expression without casts, temporaries and defaults around it.
const clang::Expr *stripped(const clang::Expr *expression);

} // namespace warplint
