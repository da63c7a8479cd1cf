#include "source/shared_constructors.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace warplint {

std::string classOfVariable(Sema &sema, SourceLocation location) {
  for (const Decl *decl : sema.CurContext->noload_decls())
    if (const auto *var = dyn_cast<VarDecl>(decl);
        var && var->getLocation() == location)
      return sema.Context.getBaseElementType(var->getType())
          .getCanonicalType()
          .getUnqualifiedType()
          .getAsString();
  return "";
}

/// A default argument of reference type makes a temporary: Clang then looks no
/// further than at its end. One without a destructor needs none.
static void endNoTemporaries(Sema &sema, CXXConstructorDecl &constructor) {
  for (ParmVarDecl *parameter : constructor.parameters()) {
    if (!parameter->hasDefaultArg() || parameter->hasUnparsedDefaultArg() ||
        (parameter->hasUninstantiatedDefaultArg() &&
         sema.InstantiateDefaultArgument(constructor.getLocation(),
                                         &constructor, parameter)))
      continue;
    if (auto *whole = dyn_cast_or_null<ExprWithCleanups>(parameter->getInit());
        whole && !whole->cleanupsHaveSideEffects())
      parameter->setDefaultArg(whole->getSubExpr());
  }
}

void SharedConstructors::begin(Sema &sema, TagDecl &defined) {
  auto *record = dyn_cast<CXXRecordDecl>(&defined);
  if (classes_.empty() || !record || record->isDependentContext() ||
      !classes_.count(
          QualType(sema.Context.getCanonicalTagType(record)).getAsString()))
    return;
  sema.ForceDeclarationOfImplicitMembers(record);
  auto add = [&](CXXMethodDecl *method) {
    if (!method || method->isTrivial() || method->isDeleted())
      return;
    method->setTrivial(true);
    trivial_.push_back(method);
  };
  for (CXXConstructorDecl *constructor : record->ctors())
    if (constructor->isDefaultConstructor()) {
      endNoTemporaries(sema, *constructor);
      add(constructor);
    }
  add(record->getDestructor());
}

void SharedConstructors::end(Sema &sema) {
  for (CXXMethodDecl *method : trivial_)
    method->setTrivial(false);
  // Clang defines no trivial one, also where a local variable needs it.
  for (CXXMethodDecl *method : trivial_)
    if (method->isDefaulted() && method->isUsed(/*CheckUsedAttr=*/false))
      if (auto *constructor = dyn_cast<CXXConstructorDecl>(method);
          constructor && !constructor->doesThisDeclarationHaveABody())
        sema.DefineImplicitDefaultConstructor(constructor->getLocation(),
                                              constructor);
  trivial_.clear();
}

} // namespace warplint
