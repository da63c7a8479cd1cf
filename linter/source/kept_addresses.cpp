#include "source/kept_addresses.h"
#include "source/host_calls.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace warplint {

namespace {

using Visit = VisitPart;

const clang::Expr *plain(const clang::Expr *expression) {
  for (;;) {
    const clang::Expr *inner = stripped(expression)->IgnoreParenCasts();
    if (inner == expression)
      return inner;
    expression = inner;
  }
}

/// Returns true if what a call returns may lead to what it is given.
bool returnsAccess(const clang::Expr *call) {
  return call->isLValue() || call->isXValue() ||
         call->getType()->isPointerType();
}

/// The objects that a call is given to change.
void rootsOfCall(const clang::CallExpr *call, Visit visit) {
  const Entered parts = partsOf(call);
  if (parts.object)
    rootsOf(parts.object, visit, parts.object->getType()->isPointerType());
  for (const clang::Expr *argument : parts.arguments) {
    const clang::Expr *inner = plain(argument);
    const bool isPointer = argument->getType()->isPointerType();
    if (isPointer || argument->isLValue() || argument->isXValue())
      rootsOf(inner, visit,
              isPointer && !llvm::isa<clang::UnaryOperator>(inner) &&
                  !inner->getType()->isArrayType());
  }
}

/// Of a value that is kept: a pointer, or what a reference is bound to.
void keep(const clang::Expr *value, Visit visit) {
  const clang::Expr *inner = plain(value);
  if (value->isLValue() || value->isXValue() || inner->getType()->isArrayType())
    return rootsOf(inner, visit);
  if (auto *choice =
          llvm::dyn_cast<clang::AbstractConditionalOperator>(inner)) {
    keep(choice->getTrueExpr(), visit);
    return keep(choice->getFalseExpr(), visit);
  }
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(inner);
      list && list->getNumInits() == 1)
    return keep(list->getInit(0), visit);
  if (auto *address = llvm::dyn_cast<clang::UnaryOperator>(inner);
      address && address->getOpcode() == clang::UO_AddrOf) {
    // Of `&size.x`, the next one is 'y'.
    const clang::Expr *part = plain(address->getSubExpr());
    auto *member = llvm::dyn_cast<clang::MemberExpr>(part);
    return member ? rootsOf(member->getBase(), visit, member->isArrow())
                  : rootsOf(part, visit);
  }
  // Of `Sizes *other = sizes`.
  if (llvm::isa<clang::DeclRefExpr>(inner) &&
      inner->getType()->isPointerType() &&
      inner->getType()->getPointeeType()->isRecordType())
    return rootsOf(inner, visit, /*isTarget=*/true);
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(inner);
      call && returnsAccess(call))
    rootsOfCall(call, visit);
}

void keepIfChangeable(const clang::Expr *value, clang::QualType type,
                      Visit visit) {
  // Code with errors, and of templates, has expressions without a type.
  if (type.isNull() || value->getType().isNull() || value->containsErrors())
    return;
  if (isReferenceToChange(type) || (type->isRValueReferenceType() &&
                                    !type->getPointeeType().isConstQualified()))
    keep(value, visit);
}

/// Returns true if code of a lambda changes a variable.
bool changesIn(const clang::Stmt *statement, const HostObject *object) {
  if (!statement)
    return false;
  bool isChanged = false;
  changesOf(statement, [&](const Change &change) {
    isChanged |= change.object == object;
  });
  return isChanged ||
         llvm::any_of(statement->children(), [&](const clang::Stmt *child) {
           return changesIn(child, object);
         });
}

void keptByLambda(const clang::LambdaExpr *lambda, Visit visit) {
  for (const clang::LambdaCapture &capture : lambda->captures()) {
    if (!capture.capturesVariable() ||
        capture.getCaptureKind() != clang::LCK_ByRef)
      continue;
    auto *variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    if (!variable)
      continue;
    if (variable->isInitCapture() && variable->getInit())
      keepIfChangeable(variable->getInit(), variable->getType(), visit);
    else if (changesIn(lambda->getBody(), variable))
      visit(variable, false, {});
  }
}

/// Functions of the standard library that return something which holds
/// references to their arguments.
bool holdsArguments(const clang::FunctionDecl &function) {
  return function.isInStdNamespace() && function.getIdentifier() &&
         llvm::StringSwitch<bool>(function.getName())
             .Cases({"ref", "tie", "forward_as_tuple"}, true)
             .Default(false);
}

/// Returns true for a library's constructor of its own objects from any values:
/// `std::thread(f, n)` copies them.
bool copiesReference(const clang::CXXConstructorDecl &constructor,
                     unsigned parameter) {
  return isInLibrary(constructor) && constructor.getPrimaryTemplate() &&
         constructor.getParamDecl(parameter)->getType()->isReferenceType() &&
         constructor.getParent()->getName() != "reference_wrapper";
}

} // namespace

bool isReferenceToChange(clang::QualType type) {
  return (type->isLValueReferenceType() || type->isPointerType()) &&
         !type->getPointeeType().isConstQualified();
}

/// `part`: of what the expression denotes.
static void rootsOf(const clang::Expr *expression, Visit visit, bool isTarget,
                    MemberPath part) {
  expression = plain(expression);
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (auto *variable =
            llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      return visit(variable, isTarget, part);
    // What a pointer among the members leads to is another object.
    if (isTarget)
      return;
    part.insert(part.begin(),
                llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()));
    return rootsOf(member->getBase(), visit, member->isArrow(), part);
  }
  if (auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    const clang::Expr *base = plain(subscript->getBase());
    return rootsOf(base, visit, isTarget || !base->getType()->isArrayType(),
                   {});
  }
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    MemberPath path;
    const HostObject *object = placeOf(reference, path);
    if (object) {
      path.append(part);
    } else {
      object = rootObject(reference);
      path.clear();
    }
    return object ? visit(object, isTarget, path) : void();
  }
  if (llvm::isa<clang::CXXThisExpr>(expression)) {
    const HostObject *record = rootObject(expression);
    return record ? visit(record, true, part) : void();
  }
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    const clang::Expr *inner = unary->getSubExpr();
    const bool isAddress = unary->getOpcode() == clang::UO_AddrOf;
    return rootsOf(inner, visit,
                   !isAddress &&
                       (isTarget || unary->getOpcode() == clang::UO_Deref),
                   part);
  }
  if (auto *choice =
          llvm::dyn_cast<clang::AbstractConditionalOperator>(expression)) {
    rootsOf(choice->getTrueExpr(), visit, isTarget, part);
    return rootsOf(choice->getFalseExpr(), visit, isTarget, part);
  }
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->getOpcode() == clang::BO_Comma)
      return rootsOf(binary->getRHS(), visit, isTarget, part);
    if (binary->isAssignmentOp() ||
        binary->getLHS()->getType()->isPointerType() ||
        plain(binary->getLHS())->getType()->isArrayType())
      rootsOf(binary->getLHS(), visit, isTarget, part);
    return;
  }
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
      call && returnsAccess(call))
    rootsOfCall(call, visit);
}

void rootsOf(const clang::Expr *expression, Visit visit, bool isTarget) {
  rootsOf(expression, visit, isTarget, {});
}

/// What the addresses in `void *all[] = {&n}` lead to, where a function gets
/// them that launches nothing.
static void keptByList(const clang::Expr *argument, Visit visit) {
  auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(argument);
  auto *array = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl())
                          : nullptr;
  auto *list = array && array->getInit() && array->getType()->isArrayType()
                   ? llvm::dyn_cast<clang::InitListExpr>(array->getInit())
                   : nullptr;
  if (list)
    for (const clang::Expr *value : list->inits())
      if (value->getType()->isVoidPointerType())
        keep(value, visit);
}

static void keptBeyondNames(const clang::Stmt *statement, Visit visit) {
  auto *expression = llvm::dyn_cast<clang::Expr>(statement);
  if (expression &&
      (expression->getType().isNull() || expression->containsErrors() ||
       expression->isTypeDependent()))
    return;
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
    if (binary->getOpcode() == clang::BO_Assign)
      keepIfChangeable(binary->getRHS(), binary->getLHS()->getType(), visit);
    return;
  }
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(statement)) {
    // As it is written, it has no conversions.
    if (const clang::InitListExpr *semantic = list->getSemanticForm())
      list = semantic;
    if (list->getType().isNull())
      return;
    for (const clang::Expr *value : list->inits())
      if (value && !value->getType().isNull() &&
          !(list->getType()->isArrayType() &&
            value->getType()->isVoidPointerType()))
        keepIfChangeable(value, value->getType(), visit);
    return;
  }
  if (auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    const clang::Expr *value = result->getRetValue();
    if (value && !value->getType().isNull() && !value->isValueDependent() &&
        !value->containsErrors() &&
        (value->getType()->isPointerType()
             ? isReferenceToChange(value->getType())
             : value->isLValue() && !value->getType().isConstQualified()))
      keep(value, visit);
    return;
  }
  if (auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(statement))
    return keptByLambda(lambda, visit);
  if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
    const clang::CXXConstructorDecl *constructor = construct->getConstructor();
    if (!constructor->isCopyOrMoveConstructor())
      for (unsigned i = 0; i < construct->getNumArgs(); ++i)
        if (i < constructor->getNumParams() &&
            !copiesReference(*constructor, i))
          keepIfChangeable(construct->getArg(i),
                           constructor->getParamDecl(i)->getType(), visit);
    return;
  }
  auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee)
    return;
  const Entered parts = partsOf(call);
  for (auto [i, argument] : llvm::enumerate(parts.arguments)) {
    // Of `all.push_back(&n)`, and of `std::tie(a, b)`.
    const clang::QualType type = i < callee->getNumParams()
                                     ? callee->getParamDecl(i)->getType()
                                     : argument->getType();
    const bool isHeld =
        type->isReferenceType() && type->getPointeeType()->isPointerType();
    const clang::Expr *inner = plain(argument);
    if (isHeld && isReferenceToChange(type->getPointeeType()) &&
        llvm::isa<clang::UnaryOperator>(inner))
      keep(inner, visit);
    else if (holdsArguments(*callee))
      keepIfChangeable(argument, type, visit);
    else if (!isRuntimeFunction(*callee))
      keptByList(inner, visit);
  }
}

void addressesKeptBy(
    const clang::Stmt *statement,
    llvm::function_ref<void(const HostObject *, bool, const MemberPath &,
                            const clang::VarDecl *)>
        visit) {
  const clang::VarDecl *name = nullptr;
  auto visitNamed = [&](const HostObject *object, bool isTarget,
                        const MemberPath &part) {
    visit(object, isTarget, part, object == name ? nullptr : name);
  };
  if (auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl *each : declarations->decls()) {
      // What a loop goes through is kept by the variable of the loop.
      auto *variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (!variable || !variable->getInit() || variable->isImplicit())
        continue;
      name = variable->hasLocalStorage() ? variable : nullptr;
      keepIfChangeable(variable->getInit(), variable->getType(), visitNamed);
    }
    return;
  }
  if (auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) {
    name = loop->getLoopVariable();
    if (name && loop->getRangeInit() && name->getType()->isReferenceType() &&
        !name->getType()->getPointeeType().isConstQualified())
      rootsOf(loop->getRangeInit(), visitNamed);
    return;
  }
  keptBeyondNames(statement, visitNamed);
}

const clang::VarDecl *pointerRead(const clang::Stmt *expression) {
  const clang::Expr *pointer = nullptr;
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression);
      member && member->isArrow())
    pointer = member->getBase();
  else if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
           unary && unary->getOpcode() == clang::UO_Deref)
    pointer = unary->getSubExpr();
  auto *reference =
      pointer
          ? llvm::dyn_cast<clang::DeclRefExpr>(pointer->IgnoreParenImpCasts())
          : nullptr;
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl())
                   : nullptr;
}

} // namespace warplint
