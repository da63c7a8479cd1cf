#include "source/access_namer.h"
#include "source/ast_place.h"
#include "clang/Lex/Lexer.h"

namespace warplint {

bool isLambda(const clang::Expr &called) {
  const clang::CXXRecordDecl *record = called.getType()->getAsCXXRecordDecl();
  return record && record->isLambda();
}

bool isSubscript(const clang::CXXOperatorCallExpr &call) {
  return call.getOperator() == clang::OO_Call ||
         call.getOperator() == clang::OO_Subscript;
}

/// What has a member: `a[i]` of `a[i].pos.x`.
static const clang::Expr *elementOf(const clang::MemberExpr &member) {
  const clang::Expr *base = member.getBase()->IgnoreParenCasts();
  auto *outer = llvm::dyn_cast<clang::MemberExpr>(base);
  return outer && !member.isArrow() ? elementOf(*outer) : base;
}

/// Returns true for `a[i]`, and for the pointer `p + i`.
static bool isElement(const clang::Expr *expression) {
  auto *sum = llvm::dyn_cast<clang::BinaryOperator>(expression);
  return llvm::isa<clang::ArraySubscriptExpr>(expression) ||
         (sum && sum->isAdditiveOp() && sum->getType()->isPointerType());
}

/// Returns the object of an access: `a` of `a[i][j].x`, `s.a` of `s.a[i]`, `p`
/// of `*(p + i)`, `(p + i)->x` and `p.at(i)`.
static const clang::Expr *objectOf(const clang::Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParenCasts();
    if (auto *temporary =
            llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
      expression = temporary->getSubExpr();
      continue;
    }
    if (auto *sum = llvm::dyn_cast<clang::BinaryOperator>(expression))
      if (sum->isAdditiveOp()) {
        bool second = !sum->getLHS()->getType()->isPointerType() &&
                      sum->getRHS()->getType()->isPointerType();
        expression = second ? sum->getRHS() : sum->getLHS();
        continue;
      }
    if (auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression))
      if (const clang::Expr *object = call->getImplicitObjectArgument();
          object &&
          !llvm::isa<clang::CXXThisExpr>(object->IgnoreParenCasts())) {
        expression = object;
        continue;
      }
    if (auto *subscript =
            llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      expression = subscript->getBase();
      continue;
    }
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
      const clang::Expr *base = elementOf(*member);
      if (isElement(base)) {
        expression = base;
        continue;
      }
    }
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
      if (unary->getOpcode() == clang::UO_Deref ||
          unary->getOpcode() == clang::UO_AddrOf ||
          unary->isIncrementDecrementOp()) {
        expression = unary->getSubExpr();
        continue;
      }
    if (auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression))
      if (isSubscript(*call) || call->getOperator() == clang::OO_Plus ||
          call->getOperator() == clang::OO_Star) {
        expression = call->getArg(0);
        continue;
      }
    return expression;
  }
}

/// Returns true for 'a(i)' and 'a[i]' of a class, and not for 'a(i, j)' and
/// 'a[i][j]'.
static bool isOfVector(const clang::CXXOperatorCallExpr &call) {
  auto *row = llvm::dyn_cast<clang::CXXOperatorCallExpr>(
      call.getArg(0)->IgnoreParenImpCasts());
  return isSubscript(call) && call.getNumArgs() == 2 &&
         !(row && isSubscript(*row));
}

bool AccessNamer::isOfLibrary(const clang::CXXOperatorCallExpr &call) const {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  return callee && inLibrary_(callee->getLocation());
}

/// Returns true for a reference to a library's type.
bool AccessNamer::isHandedIn(const clang::ParmVarDecl &parameter) const {
  if (!parameter.getType()->isLValueReferenceType())
    return false;
  const clang::QualType type = parameter.getType()->getPointeeType();
  if (const clang::TagDecl *own = type->getAsTagDecl())
    return inLibrary_(own->getLocation());
  return type->isArithmeticType();
}

/// `x` of '*reinterpret_cast<const __half *>(&x)'; null of other expressions.
static const clang::Expr *withoutAddress(const clang::Expr *expression) {
  for (clang::UnaryOperatorKind kind : {clang::UO_Deref, clang::UO_AddrOf}) {
    auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
    if (!unary || unary->getOpcode() != kind)
      return nullptr;
    expression = unary->getSubExpr()->IgnoreParenCasts();
  }
  return expression;
}

/// Returns true for '*this'.
static bool isThisObject(const clang::Expr *expression) {
  auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
  return unary && unary->getOpcode() == clang::UO_Deref &&
         llvm::isa<clang::CXXThisExpr>(
             unary->getSubExpr()->IgnoreParenImpCasts());
}

/// Finds the reference parameter, or the 'this', in whose memory an
/// expression lies.
void AccessNamer::setOwner(const clang::Expr *expression,
                           NamedAccess &name) const {
  std::string rest;
  for (;;) {
    expression = expression->IgnoreParenImpCasts();
    if (auto *subscript =
            llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      if (!subscript->getBase()
               ->IgnoreParenImpCasts()
               ->getType()
               ->isArrayType())
        return;
      rest = "[" + astText(context_, subscript->getIdx()) + "]" + rest;
      expression = subscript->getBase();
      continue;
    }
    if (const clang::Expr *same = withoutAddress(expression)) {
      expression = same;
      continue;
    }
    if (isThisObject(expression)) {
      name.passed = NamedAccess::ofThis;
      name.rest = rest;
      return;
    }
    auto *member = llvm::dyn_cast<clang::MemberExpr>(expression);
    if (!member)
      break;
    auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    const clang::Expr *base = member->getBase()->IgnoreParenImpCasts();
    const bool ofThis = llvm::isa<clang::CXXThisExpr>(base);
    if (!field || field->getType()->isReferenceType() ||
        (member->isArrow() && !ofThis))
      return;
    if (!field->isAnonymousStructOrUnion())
      rest = "." + field->getName().str() + rest;
    if (ofThis) {
      name.passed = NamedAccess::ofThis;
      name.rest = rest;
      return;
    }
    expression = base;
  }
  auto *variable = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  auto *parameter =
      variable ? llvm::dyn_cast<clang::ParmVarDecl>(variable->getDecl())
               : nullptr;
  if (!parameter || !parameter->getType()->isReferenceType())
    return;
  name.passed = parameter->getFunctionScopeIndex();
  name.rest = rest;
  name.isHandedIn = isHandedIn(*parameter);
}

/// Returns `plain`, or the parentheses around it that are a whole macro: what
/// the source says is 'C(1)', not '(C[((1) - 1) * n + i])' without them.
static const clang::Expr *asWritten(const clang::Expr *expression,
                                    const clang::Expr *plain,
                                    clang::ASTContext &context) {
  while (plain->getBeginLoc().isMacroID() && expression != plain) {
    auto *around = llvm::dyn_cast<clang::ParenExpr>(expression);
    const auto range = clang::Lexer::makeFileCharRange(
        clang::CharSourceRange::getTokenRange(expression->getSourceRange()),
        context.getSourceManager(), context.getLangOpts());
    if (around && range.isValid())
      return around;
    if (around)
      expression = around->getSubExpr();
    else if (auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression))
      expression = cast->getSubExpr();
    else
      break;
  }
  return plain;
}

NamedAccess AccessNamer::name(const clang::Expr *expression) const {
  const clang::Expr *plain = expression->IgnoreParenImpCasts();
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(plain))
    if (unary->getOpcode() == clang::UO_AddrOf)
      plain = unary->getSubExpr()->IgnoreParenImpCasts();
  NamedAccess result;
  auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(plain);
  result.isCall =
      op ? isLambda(*op->getArg(0)) : llvm::isa<clang::CallExpr>(plain);
  const bool ofVector = op && isOfVector(*op);
  result.ofVector = ofVector && isOfLibrary(*op);
  result.ofOperator = ofVector && op->getOperator() == clang::OO_Subscript;
  result.text = astText(context_, asWritten(expression, plain, context_));
  const clang::Expr *object = objectOf(plain);
  auto *named = llvm::dyn_cast<clang::DeclRefExpr>(object->IgnoreParenImpCasts());
  // A macro that passes it on calls it by the name of a parameter.
  result.object = named && named->getBeginLoc().isMacroID()
                      ? named->getNameInfo().getAsString()
                      : astText(context_, object);
  setOwner(plain, result);
  setType(plain->getType(), result);
  return result;
}

void AccessNamer::setType(clang::QualType type, NamedAccess &name) const {
  // In an unused declaration, 'auto' may be undeduced.
  if (type.isNull() || type->isDependentType() || type->isUndeducedType() ||
      type->isPlaceholderType() || type->isIncompleteType() ||
      !type->isObjectType())
    return;
  name.bytes = context_.getTypeSizeInChars(type).getQuantity();
  name.isPointer = type->isPointerType();
}

NamedAccess AccessNamer::nameOfMember(const clang::FieldDecl &member) const {
  NamedAccess result;
  result.text = member.getName().str();
  result.passed = NamedAccess::ofThis;
  result.rest = "." + result.text;
  setType(member.getType(), result);
  return result;
}

NamedAccess AccessNamer::nameOfPassed(const clang::Expr *argument) const {
  const clang::Expr *plain = argument->IgnoreParenImpCasts();
  if (llvm::isa<clang::CXXThisExpr>(plain) || isThisObject(plain)) {
    NamedAccess result;
    result.passed = NamedAccess::ofThis;
    return result;
  }
  auto *unary = llvm::dyn_cast<clang::UnaryOperator>(plain);
  const bool isDereferenced = unary && unary->getOpcode() == clang::UO_Deref;
  if (isDereferenced)
    plain = unary->getSubExpr()->IgnoreParenImpCasts();
  NamedAccess result = name(plain);
  result.isPointer |= isDereferenced;
  if (!llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::CallExpr,
                 clang::ArraySubscriptExpr>(plain))
    result.text = "(" + result.text + ")";
  return result;
}

} // namespace warplint
