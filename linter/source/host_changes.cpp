#include "source/host_changes.h"
#include "source/kept_addresses.h"
#include "source/usual_device.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace warplint {

bool overlap(const MemberPath &a, const MemberPath &b) {
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i)
    if (a[i] != b[i])
      return !a[i] || !b[i] ||
             (a[i]->getParent()->isUnion() &&
              a[i]->getParent() == b[i]->getParent());
  return true;
}

/// The class whose object `this` points to; null for other expressions.
static const HostObject *thisOf(const clang::Expr *expression) {
  if (!llvm::isa<clang::CXXThisExpr>(expression))
    return nullptr;
  const clang::RecordDecl *record =
      expression->getType()->getPointeeType()->getAsRecordDecl();
  return record ? record->getCanonicalDecl() : nullptr;
}

/// The variable that a structured binding takes apart.
static const HostObject *wholeOf(const clang::ValueDecl *declared) {
  auto *binding = llvm::dyn_cast<clang::BindingDecl>(declared);
  return llvm::dyn_cast_or_null<clang::VarDecl>(
      binding ? binding->getDecomposedDecl() : declared);
}

const HostObject *rootObject(const clang::Expr *expression) {
  expression = expression->IgnoreParenImpCasts();
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (auto *variable =
            llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      return variable;
    return rootObject(member->getBase());
  }
  if (auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return rootObject(subscript->getBase());
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return wholeOf(reference->getDecl());
  return thisOf(expression);
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

bool isPair(const clang::CXXRecordDecl *record) {
  return record && record->isInStdNamespace() && record->getIdentifier() &&
         record->getName() == "pair";
}

/// The member of the whole that a structured binding is; null if none is known:
/// of arrays and tuples, and of what has another name as well.
static const clang::FieldDecl *memberOf(const clang::BindingDecl &binding) {
  auto *whole = llvm::dyn_cast_or_null<clang::DecompositionDecl>(
      binding.getDecomposedDecl());
  if (!whole || whole->getType()->isReferenceType())
    return nullptr;
  if (!binding.getHoldingVar()) {
    auto *member = llvm::dyn_cast_or_null<clang::MemberExpr>(
        binding.getBinding() ? binding.getBinding()->IgnoreParenImpCasts()
                             : nullptr);
    return member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl())
                  : nullptr;
  }
  auto *record = whole->getType()->getAsCXXRecordDecl();
  if (!isPair(record))
    return nullptr;
  for (const clang::FieldDecl *field : record->fields())
    if (field->getFieldIndex() < whole->bindings().size() &&
        whole->bindings()[field->getFieldIndex()] == &binding)
      return field;
  return nullptr;
}

const HostObject *placeOf(const clang::Expr *expression, MemberPath &path) {
  expression = expression->IgnoreParenImpCasts();
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    // A static member is a variable.
    if (auto *variable =
            llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      return variable;
    auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    const HostObject *object =
        field ? placeOf(member->getBase(), path) : nullptr;
    path.push_back(field);
    return object;
  }
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (auto *binding =
            llvm::dyn_cast<clang::BindingDecl>(reference->getDecl())) {
      const clang::FieldDecl *member = memberOf(*binding);
      path.push_back(member);
      return member ? wholeOf(binding) : nullptr;
    }
    return wholeOf(reference->getDecl());
  }
  auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
  if (unary && (unary->getOpcode() == clang::UO_Deref ||
                unary->getOpcode() == clang::UO_AddrOf))
    return placeOf(unary->getSubExpr(), path);
  return thisOf(expression);
}

Entered partsOf(const clang::Expr *call) {
  Entered parts;
  parts.call = call;
  if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(call)) {
    parts.function = construct->getConstructor();
    parts.arguments = {construct->getArgs(), construct->getNumArgs()};
  } else if (auto *plain = llvm::dyn_cast<clang::CallExpr>(call)) {
    parts.function = plain->getDirectCallee();
    parts.arguments = {plain->getArgs(), plain->getNumArgs()};
  }
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(parts.function);
  if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
    parts.object = member->getImplicitObjectArgument();
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(call) && method &&
             !method->isStatic() && !parts.arguments.empty()) {
    parts.object = parts.arguments.front();
    parts.arguments = parts.arguments.drop_front();
  }
  return parts;
}

/// Returns true if the class of the object may have a method of its own.
static bool isOverridable(const clang::CXXMethodDecl &method,
                          const clang::Expr *object) {
  if (!method.isVirtual() || method.hasAttr<clang::FinalAttr>() || !object)
    return false;
  auto *reference =
      llvm::dyn_cast<clang::DeclRefExpr>(object->IgnoreParenImpCasts());
  return !reference || !reference->getDecl()->getType()->isRecordType();
}

std::optional<Entered> enteredBy(const clang::Expr *call) {
  Entered entered = partsOf(call);
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(entered.function);
  const clang::FunctionDecl *body = nullptr;
  if (!entered.function || !entered.function->hasBody(body) ||
      (method && isOverridable(*method, entered.object)))
    return std::nullopt;
  entered.function = body;
  return entered;
}

bool isInLibrary(const clang::FunctionDecl &function) {
  const clang::SourceManager &sources =
      function.getASTContext().getSourceManager();
  return sources.isInSystemHeader(
      sources.getExpansionLoc(function.getLocation()));
}

/// Visits the part that an expression denotes, or the objects around it, with
/// an unknown value.
static void visitLost(const clang::Expr *expression,
                      llvm::function_ref<void(const Change &)> visit) {
  Change change;
  change.object = placeOf(expression, change.path);
  if (change.object)
    return visit(change);
  rootsOf(expression,
          [&](const HostObject *object, bool, const MemberPath &part) {
            change.object = object;
            change.path = part;
            visit(change);
          });
}

/// What the runtime stores that the host asks of its GPU.
static std::optional<uint64_t> answerOf(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier() ||
      (callee->getName() != "cudaDeviceGetAttribute" &&
       callee->getName() != "cuDeviceGetAttribute") ||
      call->getNumArgs() < 2)
    return std::nullopt;
  auto *asked = llvm::dyn_cast<clang::DeclRefExpr>(stripped(call->getArg(1)));
  return asked && asked->getDecl()->getIdentifier()
             ? usualDevice(asked->getDecl()->getName())
             : std::nullopt;
}

/// Visits what a call may change: its object, and what its arguments refer or
/// point to.
static void changesOfCall(const clang::CallExpr *call,
                          llvm::function_ref<void(const Change &)> visit) {
  std::optional<Entered> entered = enteredBy(call);
  if (entered && isInLibrary(*entered->function))
    entered.reset();
  const clang::FunctionDecl *callee = call->getDirectCallee();
  const std::optional<uint64_t> answer = answerOf(call);
  // Of `s.size() = 3`, the call is all that names what is changed.
  const bool returnsPart = call->isLValue() &&
                           !call->getType().isConstQualified() &&
                           !call->getType()->isRecordType();
  auto hand = [&](const clang::Expr *expression, const HostObject *as) {
    Change change;
    change.object = placeOf(expression, change.path);
    if (!change.object || returnsPart)
      return visitLost(expression, visit);
    change.inCallee = as;
    change.number = answer;
    visit(change);
  };
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const bool onObject = llvm::isa<clang::CXXOperatorCallExpr>(call) && method;
  const clang::QualType pointed = call->getCallee()->getType();
  auto *unseen =
      callee || !pointed->isPointerType()
          ? nullptr
          : pointed->getPointeeType()->getAs<clang::FunctionProtoType>();
  for (unsigned i = onObject; i < call->getNumArgs(); ++i) {
    const unsigned parameter = i - onObject;
    // For an unknown function or a variadic argument, only pointers matter.
    const bool isNamed = callee && parameter < callee->getNumParams();
    const clang::QualType type =
        isNamed ? callee->getParamDecl(parameter)->getType()
        : unseen && i < unseen->getNumParams() ? unseen->getParamType(i)
                                               : call->getArg(i)->getType();
    if (!isReferenceToChange(type))
      continue;
    const HostObject *as =
        entered && isNamed && parameter < entered->function->getNumParams()
            ? entered->function->getParamDecl(parameter)
            : nullptr;
    const clang::Expr *argument = stripped(call->getArg(i));
    auto *address = llvm::dyn_cast<clang::UnaryOperator>(argument);
    if (address && address->getOpcode() == clang::UO_AddrOf)
      hand(address->getSubExpr(), as);
    else if (type->isReferenceType() || argument->getType()->isArrayType() ||
             type->getPointeeType()->isRecordType())
      hand(argument, as);
  }
  const bool changesObject =
      method && !method->isStatic() && !method->isConst();
  const HostObject *self =
      entered && method ? method->getParent()->getCanonicalDecl() : nullptr;
  if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
      member && changesObject)
    hand(member->getImplicitObjectArgument(), self);
  else if (onObject && changesObject && call->getNumArgs())
    hand(call->getArg(0), self);
}

const clang::Expr *assignedBy(const clang::Stmt *statement) {
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement))
    return binary->getOpcode() == clang::BO_Assign ? binary->getRHS() : nullptr;
  auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement);
  return call && call->getOperator() == clang::OO_Equal ? call->getArg(1)
                                                        : nullptr;
}

void changesOf(const clang::Stmt *statement,
               llvm::function_ref<void(const Change &)> visit) {
  Change change;
  auto lost = [&](const clang::Expr *expression) {
    visitLost(expression, visit);
  };
  if (auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl *decl : declarations->decls())
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
        // What is static has it in the first call alone.
        if (variable->hasInit() && !variable->isStaticLocal()) {
          Change given;
          given.object = variable;
          given.value = variable->getInit();
          visit(given);
          if (isReferenceToChange(variable->getType()) &&
              variable->getType()->isReferenceType())
            lost(variable->getInit());
        }
    return;
  }
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
    if (!binary->isAssignmentOp())
      return;
    change.object = placeOf(binary->getLHS(), change.path);
    if (!change.object)
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
    change.object = placeOf(assignment->getArg(0), change.path);
    if (!change.object || assignment->getOperator() != clang::OO_Equal)
      return lost(assignment->getArg(0));
    change.value = assignment->getArg(1);
    return visit(change);
  }
  changesOfCall(call, visit);
}

} // namespace warplint
