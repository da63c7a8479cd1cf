// The syntax tree of a function to its expressions that touch memory.
#pragma once
#include "model/model.h"
#include "clang/AST/ASTContext.h"
#include <set>
#include <vector>

namespace warplint {

struct MemoryExpression {
  const clang::Expr *expression;
  clang::SourceLocation location; ///< of the instructions that Clang emits
  Operation operation;
  bool isCall;     ///< of a library function, which contains the access
  bool isConstant; ///< Clang knows its value
  bool isDead;     ///< in a branch that is never taken
};

struct FunctionMemory {
  std::vector<MemoryExpression> expressions;
  std::vector<const clang::FunctionDecl *> callees;
  std::set<clang::SourceLocation> touched; ///< where memory may be touched
};

/// `function` has a body.
FunctionMemory memoryExpressions(const clang::FunctionDecl &function,
                                 clang::ASTContext &context);

} // namespace warplint
