#include "source/program_arguments.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

/// Returns true for `char **` and `const char *[]`.
static bool isListOfTexts(clang::QualType type) {
  if (!type->isPointerType() || !type->getPointeeType()->isPointerType())
    return false;
  return type->getPointeeType()->getPointeeType()->isCharType();
}

bool isArgumentCount(const clang::ParmVarDecl &parameter) {
  auto *function =
      llvm::dyn_cast<clang::FunctionDecl>(parameter.getDeclContext());
  const unsigned next = parameter.getFunctionScopeIndex() + 1;
  return function && parameter.getType()->isIntegerType() &&
         next < function->getNumParams() &&
         isListOfTexts(function->getParamDecl(next)->getType());
}

static bool isOfArguments(const clang::ValueDecl &named, unsigned depth);

static bool reads(const clang::Stmt *statement, unsigned depth) {
  constexpr unsigned deepest = 3; // variables made from variables
  if (!statement || depth > deepest)
    return false;
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    return isOfArguments(*reference->getDecl(), depth);
  return llvm::any_of(statement->children(), [&](const clang::Stmt *child) {
    return reads(child, depth);
  });
}

static bool isOfArguments(const clang::ValueDecl &named, unsigned depth) {
  if (auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(&named))
    return isArgumentCount(*parameter) || isListOfTexts(parameter->getType());
  if (!named.getIdentifier())
    return false;
  // What POSIX's `getopt` found.
  if (named.getName() == "optarg" || named.getName() == "getenv")
    return true;
  auto *variable = llvm::dyn_cast<clang::VarDecl>(&named);
  return variable && variable->isLocalVarDecl() &&
         reads(variable->getInit(), depth + 1);
}

bool readsProgramArguments(const clang::Stmt *statement) {
  return reads(statement, 0);
}

} // namespace warplint
