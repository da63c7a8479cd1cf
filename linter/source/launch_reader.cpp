#include "source/launch_reader.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace warplint {

namespace {

/// The variable that an assignable expression is or is part of.
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

/// Follows constants, and variables that keep what they were initialised with.
class DimensionReader {
public:
  DimensionReader(clang::ASTContext &context, const ChangedVariables &changed)
      : context_(context), changed_(changed) {}

  Dimensions dimensions(const clang::Expr *expression, unsigned depth = 0) {
    expression = strip(expression);
    if (depth > 8)
      return {};
    if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      if (construct->getNumArgs() == 1 && !isInteger(construct->getArg(0)))
        return dimensions(construct->getArg(0), depth + 1); // a copy
      Dimensions result{1, 1, 1};
      for (unsigned i = 0; i < construct->getNumArgs() && i < 3; ++i)
        result[i] = number(construct->getArg(i));
      return result;
    }
    if (auto *list = llvm::dyn_cast<clang::InitListExpr>(expression)) {
      Dimensions result{1, 1, 1};
      for (unsigned i = 0; i < list->getNumInits() && i < 3; ++i)
        result[i] = number(list->getInit(i));
      return result;
    }
    if (isInteger(expression))
      return {number(expression), 1, 1};
    if (const clang::Expr *initialiser = kept(expression))
      return dimensions(initialiser, depth + 1);
    return {};
  }

private:
  static const clang::Expr *strip(const clang::Expr *expression) {
    for (;;) {
      const clang::Expr *inner = expression->IgnoreParenImpCasts();
      if (auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner);
          cast && !cast->getType()->isIntegerType())
        inner = cast->getSubExpr();
      if (auto *temporary =
              llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
        inner = temporary->getSubExpr();
      if (auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(inner))
        inner = cleanups->getSubExpr();
      if (auto *standard = llvm::dyn_cast<clang::CXXDefaultArgExpr>(inner))
        inner = standard->getExpr();
      if (inner == expression)
        return inner;
      expression = inner;
    }
  }

  static bool isInteger(const clang::Expr *expression) {
    return expression->getType()->isIntegralOrEnumerationType();
  }

  /// The initialiser of a variable that is never changed.
  const clang::Expr *kept(const clang::Expr *expression) {
    auto *reference =
        llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    if (!reference)
      return nullptr;
    auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || llvm::isa<clang::ParmVarDecl>(variable) ||
        changed_.contains(variable))
      return nullptr;
    return variable->getAnyInitializer();
  }

  std::optional<uint64_t> number(const clang::Expr *expression,
                                 unsigned depth = 0) {
    if (depth > 16 || expression->isValueDependent() ||
        expression->containsErrors())
      return std::nullopt;
    clang::Expr::EvalResult result;
    if (isInteger(expression) && expression->EvaluateAsInt(result, context_))
      return result.Val.getInt().getExtValue();
    const clang::Expr *inner = strip(expression);
    if (auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner))
      return number(cast->getSubExpr(), depth + 1);
    if (const clang::Expr *initialiser = kept(inner))
      return number(initialiser, depth + 1);
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(inner))
      return component(member, depth);
    auto *binary = llvm::dyn_cast<clang::BinaryOperator>(inner);
    if (!binary)
      return std::nullopt;
    auto left = number(binary->getLHS(), depth + 1);
    auto right = number(binary->getRHS(), depth + 1);
    if (!left || !right)
      return std::nullopt;
    switch (binary->getOpcode()) {
    case clang::BO_Add:
      return *left + *right;
    case clang::BO_Sub:
      return *left - *right;
    case clang::BO_Mul:
      return *left * *right;
    case clang::BO_Div:
      return *right ? std::optional(*left / *right) : std::nullopt;
    case clang::BO_Shl:
      return *right < 64 ? std::optional(*left << *right) : std::nullopt;
    case clang::BO_Shr:
      return *right < 64 ? std::optional(*left >> *right) : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  /// `block.x` of a dim3.
  std::optional<uint64_t> component(const clang::MemberExpr *member,
                                    unsigned depth) {
    auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field || member->isArrow() || field->getFieldIndex() > 2 ||
        field->getParent()->getName() != "dim3")
      return std::nullopt;
    return dimensions(member->getBase(), depth + 1)[field->getFieldIndex()];
  }

  clang::ASTContext &context_;
  const ChangedVariables &changed_;
};

} // namespace

void ChangedVariables::note(const clang::Stmt *statement) {
  auto change = [&](const clang::Expr *expression) {
    if (const clang::VarDecl *variable = rootVariable(expression))
      changed_.insert(variable);
  };
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
    if (binary->isAssignmentOp())
      change(binary->getLHS());
  } else if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement)) {
    if (unary->isIncrementDecrementOp() ||
        unary->getOpcode() == clang::UO_AddrOf)
      change(unary->getSubExpr());
  } else if (auto *call =
                 llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement)) {
    if (call->isAssignmentOp())
      change(call->getArg(0));
  }
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(statement))
    if (const clang::FunctionDecl *callee = call->getDirectCallee())
      for (unsigned i = 0; i < callee->getNumParams(); ++i) {
        clang::QualType type = callee->getParamDecl(i)->getType();
        bool writable = type->isLValueReferenceType() &&
                        !type->getPointeeType().isConstQualified();
        if (writable && i < call->getNumArgs())
          change(call->getArg(i));
      }
}

Dimensions readDimensions(clang::ASTContext &context,
                          const ChangedVariables &changed,
                          const clang::Expr *expression) {
  return DimensionReader(context, changed).dimensions(expression);
}

} // namespace warplint
