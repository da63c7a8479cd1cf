#include "source/shape_evaluator.h"
#include "clang/AST/ExprCXX.h"

namespace warplint {

ShapeEvaluator::Origin ShapeEvaluator::origin(const clang::Expr *expression,
                                              unsigned depth) {
  constexpr unsigned deepest = 8;
  expression = stripped(expression);
  Origin found;
  if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    const auto which = decideBy(choice->getCond(), choice);
    return which && depth <= deepest
               ? origin(*which ? choice->getTrueExpr() : choice->getFalseExpr(),
                        depth + 1)
               : found;
  }
  found.object = placeOf(expression, found.path);
  if (!found.object || missing_.what || depth > deepest)
    return found;
  const auto change = reaching(found.object, found.path, expression);
  if (!change || !change->value || change->with || !change->through.empty() ||
      change->path != found.path)
    return found;
  const Origin from = origin(change->value, depth + 1);
  return from.object ? from : found;
}

const clang::ParmVarDecl *
ShapeEvaluator::openParameter(const clang::Expr *expression) {
  const Origin from = origin(expression);
  auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(from.object);
  auto *function =
      parameter
          ? llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext())
          : nullptr;
  const bool isOpen =
      function && from.path.empty() && !reader_.isChanged(parameter) &&
      function->getIdentifier() && function->isExternallyVisible() &&
      !function->isVariadic() && !llvm::isa<clang::CXXMethodDecl>(function) &&
      !function->isMain() && !entry(function);
  return isOpen ? parameter : nullptr;
}

const clang::FunctionDecl *
ShapeEvaluator::function(const clang::Expr *expression, unsigned depth) {
  expression = stripped(expression);
  if (missing_.what || depth > 8)
    return nullptr;
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return function(unary->getSubExpr(), depth + 1);
  auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  if (!reference)
    return nullptr;
  if (auto *function =
          llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
    return function;
  auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  passedBy_ = nullptr;
  auto change = variable ? reaching(variable, {}, reference) : std::nullopt;
  if (change && passedBy_)
    namedAt_ = passedBy_;
  return change && change->value && change->through.empty()
             ? function(change->value, depth + 1)
             : nullptr;
}

/// Calls `use` with each value that a function's body may return.
static void forEachReturned(const clang::Stmt *body,
                            llvm::function_ref<void(const clang::Expr *)> use) {
  if (!body || llvm::isa<clang::LambdaExpr>(body))
    return;
  if (auto *returned = llvm::dyn_cast<clang::ReturnStmt>(body))
    return use(returned->getRetValue());
  for (const clang::Stmt *child : body->children())
    forEachReturned(child, use);
}

void ShapeEvaluator::functionsOf(const clang::Expr *expression,
                                 Candidates &into, unsigned depth) {
  constexpr unsigned deepest = 8;
  expression = stripped(expression);
  if (depth > deepest)
    return;
  auto add = [&](const clang::Expr *part) {
    if (part)
      functionsOf(part, into, depth + 1);
  };
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    add(unary->getSubExpr());
  } else if (auto *choice =
                 llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    add(choice->getTrueExpr());
    add(choice->getFalseExpr());
  } else if (auto *element =
                 llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    add(element->getBase());
  } else if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    into.isLoose = true;
    add(member->getBase());
  } else if (auto *list = llvm::dyn_cast<clang::InitListExpr>(expression)) {
    for (const clang::Expr *part : list->inits())
      add(part);
  } else if (auto *call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    into.isLoose = true;
    if (const clang::FunctionDecl *callee = call->getDirectCallee();
        callee && into.calls.insert(callee).second)
      forEachReturned(callee->getBody(), add);
  } else if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (auto *function =
            llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())) {
      if (!llvm::is_contained(into.functions, function))
        into.functions.push_back(function);
    } else if (auto *variable =
                   llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      add(variable->getAnyInitializer());
      for (const clang::Expr *value : reader_.functions_.lookup(variable))
        add(value);
    }
  }
}

} // namespace warplint
