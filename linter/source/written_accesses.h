// Collects what each place of a source loads and stores, in its own words:
// code generation gives an access the place of the expression that makes it.
#pragma once
#include "source/access_namer.h"
#include "source/ast_place.h"
#include "source/emitted_lines.h"
#include "clang/Frontend/CompilerInstance.h"

namespace warplint {

/// Leaves out expressions of templates, which are added from the instances, and
/// those of lines without code.
class WrittenAccesses {
public:
  /// Adds to `names`, which has to outlive it, as has `lines`.
  WrittenAccesses(clang::CompilerInstance &instance, EmittedLines &lines,
                  AccessNamer::InLibrary inLibrary, Names &names);

  void addLoad(const clang::Expr *at, const clang::Expr *what);
  void addStore(const clang::Expr *at, const clang::Expr *what);
  void addBoth(const clang::Expr *at, const clang::Expr *what);
  /// Adds the store of a constructor that initialises a member at a location.
  void addInitialisation(clang::SourceLocation at,
                         const clang::FieldDecl &member);

  /// Adds the accesses of a call, and what it passes by reference.
  void addCall(const clang::CallExpr *call);
  void addConstruction(const clang::CXXConstructExpr *construct);

private:
  void addOperator(const clang::CXXOperatorCallExpr *call);
  void addPassed(const clang::CallExpr *call);
  void addPassed(const clang::Expr *call, const clang::FunctionDecl *callee,
                 const clang::Expr *object,
                 llvm::ArrayRef<const clang::Expr *> arguments);
  void addPassedOn(const clang::Expr *at, const clang::Expr *pointer);
  void addOperands(const clang::CallExpr *call, const clang::Expr *named);
  void addCopy(const clang::CallExpr *call);
  void addIndexes(const clang::CallExpr *call);
  bool isSmallObject(const clang::Expr &expression) const;
  NamedAccess nameAt(const clang::Expr *at, const clang::Expr *what) const;
  Place placeOf(const clang::Expr *expression) {
    return astPlace(instance_, expression->getExprLoc());
  }

  bool isEmitted(const clang::Expr *expression) {
    return lines_.has(expression->getExprLoc());
  }

  clang::CompilerInstance &instance_;
  clang::ASTContext &context_;
  EmittedLines &lines_;
  AccessNamer::InLibrary inLibrary_;
  AccessNamer namer_;
  Names &names_;
};

} // namespace warplint
