#include "source/written_operations.h"
#include "source/ast_place.h"

namespace warplint {

WrittenOperation WrittenOperations::describe(clang::ASTContext &context,
                                             const Place &place) const {
  WrittenOperation result;
  result.isCast = casts_.contains(place);
  auto it = expressions_.find(place);
  if (it == expressions_.end())
    return result;
  const clang::Expr *expression = it->second;
  result.text = astText(context, expression);
  auto add = [&](const clang::Expr *operand) {
    result.operands.push_back(astText(context, operand->IgnoreParenImpCasts()));
  };
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    add(binary->getLHS());
    add(binary->getRHS());
  } else if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    add(unary->getSubExpr());
  } else if (auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression)) {
    add(cast->getSubExpr());
  } else if (auto *choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(
                 expression)) {
    add(choice->getTrueExpr());
    add(choice->getFalseExpr());
  } else if (auto *call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    for (const clang::Expr *argument : call->arguments())
      add(argument);
  }
  return result;
}

} // namespace warplint
