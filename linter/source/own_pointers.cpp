#include "source/own_pointers.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

namespace {

bool isAllocation(const clang::CallExpr &call, const clang::Stmt *argument) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  return callee && callee->getIdentifier() && call.getNumArgs() > 1 &&
         call.getArg(0) == argument &&
         llvm::is_contained(
             {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync"},
             callee->getName());
}

bool isNull(const clang::VarDecl &variable) {
  return variable.getInit()->isNullPointerConstant(
      variable.getASTContext(), clang::Expr::NPC_ValueDependentIsNotNull);
}

/// The allocation whose argument a variable is: `&a`, cast or not; null if
/// none. `around`: the statements that its name is in, the innermost last.
const clang::CallExpr *
allocationOf(llvm::ArrayRef<const clang::Stmt *> around) {
  auto at = around.rbegin();
  const auto *address =
      at == around.rend() ? nullptr : llvm::dyn_cast<clang::UnaryOperator>(*at);
  if (!address || address->getOpcode() != clang::UO_AddrOf)
    return nullptr;
  while (at + 1 != around.rend() &&
         llvm::isa<clang::CastExpr, clang::ParenExpr>(at[1]))
    ++at;
  const auto *call = at + 1 == around.rend()
                         ? nullptr
                         : llvm::dyn_cast<clang::CallExpr>(at[1]);
  return call && isAllocation(*call, *at) ? call : nullptr;
}

bool isRead(llvm::ArrayRef<const clang::Stmt *> around) {
  const auto *cast =
      around.empty() ? nullptr
                     : llvm::dyn_cast<clang::ImplicitCastExpr>(around.back());
  return cast && cast->getCastKind() == clang::CK_LValueToRValue;
}

const clang::VarDecl *variableOf(const clang::Expr *argument) {
  auto *reference =
      llvm::dyn_cast<clang::DeclRefExpr>(argument->IgnoreParenCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl())
                   : nullptr;
}

} // namespace

void OwnPointers::read(const clang::Stmt *statement,
                       llvm::SmallVectorImpl<const clang::Stmt *> &around,
                       Variables &into) {
  if (auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl *decl : declarations->decls())
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
          variable && variable->hasInit() && !isNull(*variable))
        into[variable].isLost = true;
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      Uses &uses = into[variable];
      const clang::CallExpr *allocation = allocationOf(around);
      if (allocation)
        uses.sizes.push_back(allocation->getArg(1));
      uses.isAllocated |= allocation != nullptr;
      uses.isLost |= !allocation && !isRead(around);
    }
  around.push_back(statement);
  for (const clang::Stmt *child : statement->children())
    if (child)
      read(child, around, into);
  around.pop_back();
}

const OwnPointers::Variables &
OwnPointers::variablesOf(const clang::FunctionDecl &function) {
  auto [known, isNew] = known_.try_emplace(&function);
  if (isNew && function.getBody()) {
    llvm::SmallVector<const clang::Stmt *, 32> around;
    read(function.getBody(), around, known->second);
  }
  return known->second;
}

llvm::ArrayRef<const clang::Expr *>
OwnPointers::sizes(const clang::FunctionDecl &function,
                   const clang::Expr &argument) {
  const Variables &variables = variablesOf(function);
  const auto uses = variables.find(variableOf(&argument));
  return uses == variables.end() ? llvm::ArrayRef<const clang::Expr *>()
                                 : uses->second.sizes;
}

std::vector<unsigned>
OwnPointers::positions(const clang::FunctionDecl &function,
                       llvm::ArrayRef<const clang::Expr *> arguments) {
  const Variables &variables = variablesOf(function);
  std::vector<unsigned> own;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    const clang::VarDecl *variable = variableOf(argument);
    if (!variable || !variable->isLocalVarDecl() ||
        !variable->getType()->isPointerType() ||
        variable->getDeclContext() != &function)
      continue;
    const Uses uses = variables.lookup(variable);
    const bool isOnce =
        llvm::count_if(arguments, [&](const clang::Expr *other) {
          return variableOf(other) == variable;
        }) == 1;
    if (uses.isAllocated && !uses.isLost && isOnce)
      own.push_back(i);
  }
  return own;
}

} // namespace warplint
