// Of kernel templates with hundreds of instances that differ in numbers alone:
// those that are not read.
#pragma once
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace warplint {

/// The instances of one template, of the same types.
struct AlikeInstances {
  const clang::FunctionDecl *first; ///< the first in the source
  size_t all;
  std::vector<const clang::FunctionDecl *> leftOut; ///< canonical
};

/// Instances of the same types that are read. A template over ten options has
/// thousands: hours of reading for findings at the same places.
constexpr size_t mostAlike = 512;

/// Returns the templates of which more are among `kernels`. Instances of
/// different types are different code, as a library's kernel that executes the
/// user's lambdas.
std::vector<AlikeInstances>
alikeInstances(llvm::ArrayRef<const clang::FunctionDecl *> kernels,
               size_t most = mostAlike);

} // namespace warplint
