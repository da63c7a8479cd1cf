// The pointers of a host function that lead to nothing but what it allocates
// for them.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace warplint {

/// A local variable owns its memory if allocations of the runtime are all that
/// gives it a value. No two such variables lead to one allocation.
class OwnPointers {
public:
  /// The positions of the arguments, in a launch in `function`, that are
  /// variables of it which own their memory, each passed once.
  std::vector<unsigned>
  positions(const clang::FunctionDecl &function,
            llvm::ArrayRef<const clang::Expr *> arguments);

  /// What the allocations of such an argument ask for, in bytes.
  llvm::ArrayRef<const clang::Expr *> sizes(const clang::FunctionDecl &function,
                                            const clang::Expr &argument);

private:
  struct Uses {
    bool isAllocated = false, isLost = false;
    llvm::SmallVector<const clang::Expr *, 1> sizes;
  };
  using Variables = llvm::DenseMap<const clang::VarDecl *, Uses>;

  const Variables &variablesOf(const clang::FunctionDecl &function);
  static void read(const clang::Stmt *statement,
                   llvm::SmallVectorImpl<const clang::Stmt *> &around,
                   Variables &into);

  llvm::DenseMap<const clang::FunctionDecl *, Variables> known_;
};

} // namespace warplint
