// Finds the loops of the host that launch kernels, and the calls in them for
// which each iteration waits: allocations, copies, synchronisation.
//
// Follows calls of functions and lambdas that the source defines. A call counts
// only if each iteration that launches the kernel makes it, and a
// synchronisation only if the host reads no memory in the same loop. Copies
// and synchronisation of a loop that takes the time are left out, too: it
// measures. Where an inner loop launches kernels, many launches
// share the call.
#pragma once
#include "model/model.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <vector>

namespace warplint {

class HostLoops {
public:
  explicit HostLoops(clang::CompilerInstance &instance);
  ~HostLoops();

  /// To be called for every function of the user's that has a body.
  void noteFunction(const clang::FunctionDecl *function);

  using Calls = llvm::DenseMap<const clang::Expr *, std::vector<HostCall>>;
  /// By launch. Only valid after all functions were noted.
  Calls read(const llvm::DenseSet<const clang::Expr *> &launches) const;

private:
  class Walk;
  struct Function;

  clang::CompilerInstance &instance_;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Function>>
      functions_;
  std::vector<const clang::FunctionDecl *> order_; ///< as noted
};

} // namespace warplint
