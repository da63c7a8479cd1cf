#include "source/host_changes.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace warplint {

namespace {

bool isReferenceToChange(clang::QualType type) {
  return (type->isLValueReferenceType() || type->isPointerType()) &&
         !type->getPointeeType().isConstQualified();
}

} // namespace

const clang::VarDecl *rootVariable(const clang::Expr *expression) {
  expression = expression->IgnoreParenImpCasts();
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression))
    return rootVariable(member->getBase());
  if (auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return rootVariable(subscript->getBase());
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  return nullptr;
}

const clang::Expr *stripped(const clang::Expr *expression) {
  for (;;) {
    const clang::Expr *inner = expression->IgnoreParenImpCasts();
    if (auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner))
      inner = cast->getSubExpr();
    if (auto *temporary =
            llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    if (auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(inner))
      inner = bound->getSubExpr();
    if (auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(inner))
      inner = cleanups->getSubExpr();
    if (auto *standard = llvm::dyn_cast<clang::CXXDefaultArgExpr>(inner))
      inner = standard->getExpr();
    if (auto *standard = llvm::dyn_cast<clang::CXXDefaultInitExpr>(inner))
      inner = standard->getExpr();
    if (auto *replaced =
            llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(inner))
      inner = replaced->getReplacement();
    if (inner == expression)
      return inner;
    expression = inner;
  }
}

const clang::VarDecl *placeOf(const clang::Expr *expression, MemberPath &path) {
  expression = expression->IgnoreParenImpCasts();
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field || member->isArrow())
      return nullptr;
    const clang::VarDecl *variable = placeOf(member->getBase(), path);
    path.push_back(field);
    return variable;
  }
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  return nullptr;
}

void changesOf(const clang::Stmt *statement,
               llvm::function_ref<void(const Change &)> visit) {
  Change change;
  auto lost = [&](const clang::Expr *expression) {
    Change unknown;
    unknown.variable = rootVariable(expression);
    if (unknown.variable)
      visit(unknown);
  };
  if (auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl *decl : declarations->decls())
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
        if (variable->hasInit()) {
          visit({variable, {}, variable->getInit(), {}, {}, nullptr});
          if (isReferenceToChange(variable->getType()) &&
              variable->getType()->isReferenceType())
            lost(variable->getInit());
        }
    return;
  }
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
    if (!binary->isAssignmentOp())
      return;
    change.variable = placeOf(binary->getLHS(), change.path);
    if (!change.variable)
      return lost(binary->getLHS());
    change.value = binary->getRHS();
    if (binary->isCompoundAssignmentOp())
      change.with = clang::BinaryOperator::getOpForCompoundAssignment(
          binary->getOpcode());
    return visit(change);
  }
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement)) {
    if (unary->isIncrementDecrementOp())
      return lost(unary->getSubExpr());
    return;
  }
  auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
  if (!call)
    return;
  auto *assignment = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  if (assignment && assignment->isAssignmentOp()) {
    change.variable = placeOf(assignment->getArg(0), change.path);
    if (!change.variable || assignment->getOperator() != clang::OO_Equal)
      return lost(assignment->getArg(0));
    change.value = assignment->getArg(1);
    return visit(change);
  }
  const clang::FunctionDecl *callee = call->getDirectCallee();
  bool onObject =
      assignment && llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee);
  for (unsigned i = onObject; i < call->getNumArgs(); ++i) {
    unsigned parameter = i - onObject;
    // For an unknown function or a variadic argument, only pointers matter.
    clang::QualType type = callee && parameter < callee->getNumParams()
                               ? callee->getParamDecl(parameter)->getType()
                               : call->getArg(i)->getType();
    if (!isReferenceToChange(type))
      continue;
    const clang::Expr *argument = stripped(call->getArg(i));
    auto *address = llvm::dyn_cast<clang::UnaryOperator>(argument);
    if (address && address->getOpcode() == clang::UO_AddrOf)
      lost(address->getSubExpr());
    else if (type->isReferenceType() || argument->getType()->isArrayType())
      lost(argument);
  }
  if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    if (member->getMethodDecl() && !member->getMethodDecl()->isConst())
      lost(member->getImplicitObjectArgument());
}

} // namespace warplint
