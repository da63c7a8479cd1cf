// Which objects of host code have another name, under which later statements
// may change them: what a pointer, a reference or a lambda keeps the address
// of.
#pragma once
#include "source/host_changes.h"

namespace warplint {

/// `isTarget`: it is of what the object points to, not of the object itself.
using VisitPart = llvm::function_ref<void(
    const HostObject *object, bool isTarget, const MemberPath &part)>;

/// Visits the parts of objects that an lvalue may be of, or that a pointer may
/// lead into: of `s.at(i)[2]`, of both sides of `a ? x : y`.
void rootsOf(const clang::Expr *expression, VisitPart visit,
             bool isTarget = false);

/// Visits those whose address a statement itself keeps, without its
/// substatements. An argument of a plain call is none: the call is the change.
/// Nor is one of `void *arguments[] = {&n}`, as launches are given them.
/// `name`: a local variable that alone keeps it; null if something else does.
void addressesKeptBy(
    const clang::Stmt *statement,
    llvm::function_ref<void(const HostObject *object, bool isTarget,
                            const MemberPath &part, const clang::VarDecl *name)>
        visit);

/// The pointer that an expression reads something behind: `p` of `p->x`. Null
/// for others.
const clang::VarDecl *pointerRead(const clang::Stmt *expression);

/// Returns true for a pointer or an lvalue reference to what is not constant.
bool isReferenceToChange(clang::QualType type);

} // namespace warplint
