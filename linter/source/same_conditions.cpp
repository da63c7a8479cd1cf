#include "source/same_conditions.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

/// Returns true for what constants, and local variables and parameters that
/// nothing changes, are computed to.
static bool isFixed(const clang::Expr *expression,
                    SameConditions::IsChanged isChanged) {
  expression = expression->IgnoreParenImpCasts();
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (llvm::isa<clang::EnumConstantDecl>(reference->getDecl()))
      return true;
    auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable && variable->isLocalVarDeclOrParm() &&
           !variable->getType().isVolatileQualified() && !isChanged(variable);
  }
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression))
    return !member->isArrow() &&
           llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
           isFixed(member->getBase(), isChanged);
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary->isArithmeticOp() && isFixed(unary->getSubExpr(), isChanged);
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return !binary->isAssignmentOp() && !binary->isPtrMemOp() &&
           isFixed(binary->getLHS(), isChanged) &&
           isFixed(binary->getRHS(), isChanged);
  return llvm::isa<clang::IntegerLiteral, clang::CXXBoolLiteralExpr,
                   clang::CharacterLiteral, clang::FloatingLiteral>(expression);
}

SameConditions::Asked SameConditions::of(const clang::Expr *condition,
                                         const clang::ASTContext &context,
                                         IsChanged isChanged) {
  Asked asked;
  for (;; asked.isNegated = !asked.isNegated) {
    condition = condition->IgnoreParenImpCasts();
    auto *unary = llvm::dyn_cast<clang::UnaryOperator>(condition);
    if (!unary || unary->getOpcode() != clang::UO_LNot)
      break;
    condition = unary->getSubExpr();
  }
  if (!isFixed(condition, isChanged))
    return {};
  llvm::FoldingSetNodeID words;
  auto add = [&](const clang::Expr *part) {
    part->IgnoreParenImpCasts()->Profile(words, context, /*Canonical=*/true);
  };
  // 'n != 3' is '!(n == 3)'.
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (binary && binary->isEqualityOp()) {
    asked.isNegated ^= binary->getOpcode() == clang::BO_NE;
    add(binary->getLHS());
    add(binary->getRHS());
  } else {
    add(condition);
  }
  auto &alike = known_[words.ComputeHash()];
  auto known = llvm::find_if(
      alike, [&](const auto &each) { return each.first == words; });
  asked.first = known == alike.end()
                    ? alike.emplace_back(words, condition).second
                    : known->second;
  return asked;
}

} // namespace warplint
