// Names memory accesses as the source spells them.
#pragma once
#include "ir/names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include <functional>

namespace warplint {

class AccessNamer {
public:
  /// Returns true for a place in a library's header.
  using InLibrary = std::function<bool(clang::SourceLocation)>;

  AccessNamer(clang::ASTContext &context, InLibrary inLibrary)
      : context_(context), inLibrary_(std::move(inLibrary)) {}

  /// Returns the names of the memory that an expression reads or writes: of
  /// `a.cols[i]`, or of a call that returns a reference to it.
  NamedAccess name(const clang::Expr *expression) const;

  /// Returns the name of a member that a constructor initialises. Its object
  /// has no name there.
  NamedAccess nameOfMember(const clang::FieldDecl &member) const;

  /// Returns the name that a caller has for an argument or, for a call of a
  /// method, for its object, as a prefix of the members that the callee
  /// accesses.
  NamedAccess nameOfPassed(const clang::Expr *argument) const;

private:
  bool isOfLibrary(const clang::CXXOperatorCallExpr &call) const;
  bool isHandedIn(const clang::ParmVarDecl &parameter) const;
  void setOwner(const clang::Expr *expression, NamedAccess &name) const;
  void setType(clang::QualType type, NamedAccess &name) const;

  clang::ASTContext &context_;
  InLibrary inLibrary_;
};

/// Returns true if what is called, or copied, is a lambda.
bool isLambda(const clang::Expr &called);

/// Returns true for `a[i]` and `a(i, j)` of a class, and not for other
/// operators.
bool isSubscript(const clang::CXXOperatorCallExpr &call);

} // namespace warplint
