// Which kernels of a library the user's code can be in.
#pragma once
#include "ir/names.h"
#include "llvm/IR/Module.h"
#include <vector>

namespace warplint {

/// Returns the kernels of a module, as code generation leaves it, that reach no
/// function from a file of the user's, by calls or by addresses: an instance of
/// a library's sort or reduction. Those that are left may still hold no more of
/// the user's than a type's copy constructor.
std::vector<llvm::Function *> librarysOwnKernels(llvm::Module &module,
                                                 const Names &names);

} // namespace warplint
