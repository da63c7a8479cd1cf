// Inlines into a kernel all that it calls. What remains is recursion, and what
// would make the kernel too large.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <functional>

namespace warplint {

/// The attribute of functions that are left where they are called, since a
/// function around them would have more instructions than can be followed.
constexpr const char *tooLarge = "warplint.too-large";

/// The functions that `function` calls by name, and whose code is known.
llvm::SmallSetVector<llvm::Function *, 8>
calledBy(const llvm::Function &function);

/// Inlines the functions of a module that have the attribute alwaysinline, the
/// innermost first, as nvcc does: what a function does with its restricted
/// pointers is known only when it has no calls left. Of a long chain of
/// functions the outer ones go into the kernel first, with the calls of the
/// others, which follow.
class Inliner {
public:
  /// `tidy` shortens a function that is inlined later: once before its own
  /// calls are inlined, and once after that.
  Inliner(llvm::Module &module, llvm::FunctionAnalysisManager &analyses,
          std::function<void(llvm::Function &)> tidy);

  /// Returns false if there was nothing to inline. Which function a call means
  /// may be known only once the one that has it is inlined and its argument a
  /// constant: then there is something to inline again. Drops the functions
  /// that nothing calls any more.
  bool inlineInto(llvm::Function &kernel);

private:
  enum class State { InProgress, Whole, NotViable };

  bool inlineCalls(llvm::Function &function);
  State flatten(llvm::Function &callee);
  bool inlineCall(llvm::CallBase &call, llvm::Function &callee);

  llvm::FunctionAnalysisManager &analyses_;
  std::function<void(llvm::Function &)> tidy_;
  llvm::DenseMap<const llvm::Function *, unsigned> order_; ///< in the module
  llvm::DenseMap<const llvm::Function *, State> states_;
  unsigned depth_ = 0; ///< of the function that is flattened
  /// The functions that hold calls which are inlined once they are in a kernel.
  llvm::DenseSet<const llvm::Function *> cut_;
  bool hasMore_ = false; ///< such a function was inlined
};

} // namespace warplint
