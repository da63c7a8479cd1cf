#include "source/written_accesses.h"

namespace warplint {

static bool copiesMemory(llvm::StringRef name) {
  return name == "memcpy" || name == "memmove" || name == "memset" ||
         name == "memcpy_async" || name == "__pipeline_memcpy_async" ||
         name == "__builtin_memcpy" || name == "__builtin_memmove" ||
         name == "__builtin_memset";
}

/// Returns true for a 'cuda::atomic', a 'cuda::atomic_ref' or a pointer to
/// one, of any of their namespaces.
static bool isAtomicObject(const clang::Expr &object) {
  clang::QualType type = object.IgnoreParenImpCasts()->getType();
  if (type->isPointerType())
    type = type->getPointeeType();
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() &&
         (record->getName() == "atomic" || record->getName() == "atomic_ref");
}

WrittenAccesses::WrittenAccesses(clang::CompilerInstance &instance,
                                 EmittedLines &lines,
                                 AccessNamer::InLibrary inLibrary, Names &names)
    : instance_(instance), context_(instance.getASTContext()), lines_(lines),
      inLibrary_(inLibrary), namer_(context_, std::move(inLibrary)),
      names_(names) {}

NamedAccess WrittenAccesses::nameAt(const clang::Expr *at,
                                    const clang::Expr *what) const {
  NamedAccess name = namer_.name(what);
  name.macro = astMacro(context_, at->getExprLoc());
  return name;
}

void WrittenAccesses::addLoad(const clang::Expr *at, const clang::Expr *what) {
  if (at->isTypeDependent() || what->isTypeDependent() || !isEmitted(at))
    return;
  names_.loads.add(placeOf(at), nameAt(at, what));
}
void WrittenAccesses::addStore(const clang::Expr *at, const clang::Expr *what) {
  if (at->isTypeDependent() || what->isTypeDependent() || !isEmitted(at))
    return;
  names_.stores.add(placeOf(at), nameAt(at, what));
}
void WrittenAccesses::addBoth(const clang::Expr *at, const clang::Expr *what) {
  addLoad(at, what);
  addStore(at, what);
}

void WrittenAccesses::addInitialisation(clang::SourceLocation at,
                                        const clang::FieldDecl &member) {
  if (lines_.has(at))
    names_.stores.add(astPlace(instance_, at), namer_.nameOfMember(member));
}

void WrittenAccesses::addConstruction(
    const clang::CXXConstructExpr *construct) {
  if (!isEmitted(construct))
    return;
  addPassed(construct, construct->getConstructor(), nullptr,
            {construct->getArgs(), construct->getNumArgs()});
  if (construct->getNumArgs() == 1 &&
      construct->getConstructor()->isCopyOrMoveConstructor())
    addLoad(construct, construct->getArg(0));
}

void WrittenAccesses::addCall(const clang::CallExpr *call) {
  if (!isEmitted(call))
    return;
  names_.calls.try_emplace(placeOf(call), astText(context_, call));
  addPassed(call);
  if (auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call))
    return addOperator(op);
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier())
    return;
  llvm::StringRef name = callee->getName();
  bool onPointer = name.starts_with("atomic") ||
                   name.starts_with("__nv_atomic") ||
                   name.starts_with("__ld") || name.starts_with("__st");
  if (onPointer && call->getNumArgs())
    return addPassedOn(call, call->getArg(0));
  if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
      member && isAtomicObject(*member->getImplicitObjectArgument()))
    return addPassedOn(call, member->getImplicitObjectArgument());
  if (copiesMemory(name))
    return addCopy(call);
  addOperands(call, call);
}

void WrittenAccesses::addOperator(const clang::CXXOperatorCallExpr *call) {
  const clang::OverloadedOperatorKind kind = call->getOperator();
  if (isSubscript(*call))
    addIndexes(call);
  if (kind == clang::OO_Equal && call->getNumArgs() == 2) {
    // A structure copy loads its right-hand side.
    addStore(call, call->getArg(0));
    return addLoad(call, call->getArg(1));
  }
  const bool changes = call->isAssignmentOp() || kind == clang::OO_PlusPlus ||
                       kind == clang::OO_MinusMinus;
  addOperands(call, changes ? call->getArg(0) : call);
}

void WrittenAccesses::addPassed(const clang::CallExpr *call) {
  llvm::ArrayRef<const clang::Expr *> arguments(call->getArgs(),
                                                call->getNumArgs());
  const clang::Expr *object = nullptr;
  auto *method =
      llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    object = member->getImplicitObjectArgument();
  else if (llvm::isa<clang::CXXOperatorCallExpr>(call) && method &&
           !method->isStatic() && !arguments.empty()) {
    // A lambda's 'this' is that of the function around it.
    object = isLambda(*arguments.front()) ? nullptr : arguments.front();
    arguments = arguments.drop_front();
  }
  addPassed(call, call->getDirectCallee(), object, arguments);
}

/// Notes what a call passes by reference to a device function of the user's.
void WrittenAccesses::addPassed(const clang::Expr *call,
                                const clang::FunctionDecl *callee,
                                const clang::Expr *object,
                                llvm::ArrayRef<const clang::Expr *> arguments) {
  if (!callee || !callee->hasAttr<clang::CUDADeviceAttr>() ||
      inLibrary_(callee->getLocation()))
    return;
  PassedObjects passed;
  auto add = [&](int parameter, const clang::Expr *argument) {
    if (argument && !argument->isTypeDependent())
      passed.emplace(parameter, namer_.nameOfPassed(argument));
  };
  add(NamedAccess::ofThis, object);
  for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams(); ++i)
    if (callee->getParamDecl(i)->getType()->isReferenceType())
      add(i, arguments[i]);
  if (passed.empty())
    return;
  auto [known, isNew] =
      names_.passed.try_emplace(placeOf(call), std::move(passed));
  // Of two calls at one place, as in a macro, none is known to be the one.
  if (!isNew && llvm::any_of(known->second, [&](const auto &each) {
        auto other = passed.find(each.first);
        return other == passed.end() || other->second.text != each.second.text;
      }))
    known->second.clear();
}

/// The first pointer argument is written, the next one is read.
void WrittenAccesses::addCopy(const clang::CallExpr *call) {
  bool written = false;
  for (const clang::Expr *argument : call->arguments()) {
    const clang::Expr *plain = argument->IgnoreParenImpCasts();
    if (!plain->getType()->isPointerType() && !plain->getType()->isArrayType())
      continue;
    if (written)
      return addLoad(call, argument);
    addStore(call, argument);
    written = true;
  }
}

/// An access that a library makes for the user where `pointer` leads. That
/// may be a call, too, and the access is no less the user's:
/// 'atomicAdd(s.get(), x)'.
void WrittenAccesses::addPassedOn(const clang::Expr *at,
                                  const clang::Expr *pointer) {
  if (at->isTypeDependent() || pointer->isTypeDependent())
    return;
  NamedAccess named = nameAt(at, pointer);
  named.isCall = false;
  names_.loads.add(placeOf(at), named);
  names_.stores.add(placeOf(at), std::move(named));
}

/// Names what a library's function does by `named`, but for what it reads of
/// small objects that it gets by reference: a 'thrust::complex' or a vector.
void WrittenAccesses::addOperands(const clang::CallExpr *call,
                                  const clang::Expr *named) {
  if (call->isTypeDependent() || named->isTypeDependent())
    return;
  NamedAccess load = nameAt(call, named);
  names_.stores.add(placeOf(call), load);
  auto add = [&](const clang::Expr *operand) {
    if (operand && isSmallObject(*operand))
      load.operands.push_back(namer_.name(operand));
  };
  auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  const auto kind = op ? op->getOperator() : clang::OO_None;
  const bool leadsOn = // '*p' and 'p->', not 'a * b'
      kind == clang::OO_Arrow ||
      (kind == clang::OO_Star && call->getNumArgs() == 1);
  if (!(op && isSubscript(*op)) && !leadsOn) {
    if (auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
      add(member->getImplicitObjectArgument());
    llvm::for_each(call->arguments(), add);
    load.whole = astText(context_, call);
  }
  names_.loads.add(placeOf(call), std::move(load));
}

/// A number or a value of a class that lies in memory. What is larger may be a
/// library's own: the memory that its algorithm works in.
bool WrittenAccesses::isSmallObject(const clang::Expr &expression) const {
  constexpr int64_t largest = 16; // bytes: a complex double, a float4
  const clang::Expr &object = *expression.IgnoreParenImpCasts();
  const clang::QualType type = object.getType();
  if (type->isArithmeticType()) // `const T &` of a complex's product
    return expression.isGLValue();
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return object.isGLValue() && record && !type->isDependentType() &&
         !type->isIncompleteType() && !record->isInvalidDecl() &&
         !record->isEmpty() && record->hasTrivialDestructor() &&
         context_.getTypeSizeInChars(type).getQuantity() <= largest;
}

void WrittenAccesses::addIndexes(const clang::CallExpr *call) {
  std::vector<std::string> indexes;
  for (const clang::Expr *index : llvm::drop_begin(call->arguments()))
    indexes.push_back(astText(context_, index));
  names_.indexes.try_emplace(placeOf(call),
                             NamedIndexes{std::move(indexes), {}});
}

} // namespace warplint
