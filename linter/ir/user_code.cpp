#include "ir/user_code.h"
#include "ir/normalise.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

/// A function without debug information may be anybody's.
static bool mayBeUsers(const llvm::Function &function, const Names &names) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  return !function.isDeclaration() &&
         (!subprogram || names.file(subprogram->getFile()).isUser);
}

std::vector<llvm::Function *> librarysOwnKernels(llvm::Module &module,
                                                 const Names &names) {
  // From the user's functions to whoever uses them.
  llvm::SmallPtrSet<const llvm::Value *, 32> reached;
  std::vector<const llvm::Value *> open;
  auto reach = [&](const llvm::Value &value) {
    if (reached.insert(&value).second)
      open.push_back(&value);
  };
  for (const llvm::Function &function : module)
    if (mayBeUsers(function, names))
      reach(function);
  while (!open.empty()) {
    const llvm::Value *value = open.back();
    open.pop_back();
    for (const llvm::User *user : value->users())
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
        reach(*instruction->getFunction());
      else
        reach(*user); // a constant, such as a table of functions
  }
  std::vector<llvm::Function *> librarys;
  for (llvm::Function &function : module)
    if (isKernel(function) && !function.isDeclaration() &&
        !reached.contains(&function))
      librarys.push_back(&function);
  return librarys;
}

} // namespace warplint
