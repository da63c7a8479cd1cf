// The arguments of a kernel that the runtime's launch functions take as an
// array of addresses: `void *packed[] = {&a, &n}; cudaLaunchKernel(...,
// packed)`.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <vector>

namespace warplint {

/// What the array's elements point to, in order: `a` and `n`. Empty if `packed`
/// is not a variable of `inside` with an address for each element, if anything
/// but a launch uses that variable, since it may write an element, or if what
/// an element points to may change behind the declaration.
std::vector<const clang::Expr *>
packedArguments(const clang::Expr *packed, const clang::FunctionDecl *inside);

} // namespace warplint
