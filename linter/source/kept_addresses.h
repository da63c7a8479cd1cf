// Which objects of host code have another name, under which later statements
// may change them: what a pointer, a reference or a lambda keeps the address
// of.
#pragma once
#include "source/host_changes.h"

namespace warplint {

/// Visits the objects that an lvalue may be a part of, or that a pointer may
/// lead into: of `s.at(i)[2]`, of both sides of `a ? x : y`. `isTarget`: it is
/// what the object points to, not the object itself.
void rootsOf(const clang::Expr *expression,
             llvm::function_ref<void(const HostObject *, bool isTarget)> visit,
             bool isTarget = false);

/// Visits those whose address a statement itself keeps, without its
/// substatements. An argument of a plain call is none: the call is the change.
/// Nor is one of `void *arguments[] = {&n}`, as launches are given them.
void addressesKeptBy(
    const clang::Stmt *statement,
    llvm::function_ref<void(const HostObject *, bool isTarget)> visit);

/// Returns true for a pointer or an lvalue reference to what is not constant.
bool isReferenceToChange(clang::QualType type);

} // namespace warplint
