// `.file` and `.loc` to LLVM debug locations, with the chain of inlined calls.
#pragma once
#include "compiled/ptx_text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace warplint::ptx {

class DebugInfo {
public:
  DebugInfo(const Module &text, llvm::Module &module);

  /// Gives the function a subprogram if its body has any `.loc`. What follows
  /// speaks of this function until the next one begins.
  void begin(const Function &f, llvm::Function &function);

  /// The location of `.loc`, or null if the function has none. PTX names the
  /// caller of an inlined call by its place alone: it is the last `.loc` that
  /// named this place.
  llvm::DILocation *locate(const Location &l);

  /// The location for what stands before the first `.loc`.
  llvm::DILocation *start();

  void finish();

private:
  using Key = std::pair<unsigned, std::pair<unsigned, unsigned>>;
  struct Frame {
    llvm::DILocation *location = nullptr;
    unsigned depth = 0;
  };
  llvm::DIFile *file(unsigned index);
  llvm::DIScope *scopeIn(llvm::DISubprogram *subprogram, unsigned fileIndex);
  llvm::DISubprogram *subprogram(llvm::StringRef name, unsigned fileIndex,
                                 unsigned line);
  Frame caller(const Location &l, llvm::DISubprogram *callee);

  const Module &text_;
  llvm::DIBuilder builder_;
  llvm::DICompileUnit *unit_ = nullptr;
  llvm::DISubroutineType *type_ = nullptr;
  llvm::DenseMap<unsigned, llvm::DIFile *> files_;
  llvm::StringMap<llvm::DISubprogram *> callees_; ///< by mangled name
  llvm::DISubprogram *current_ = nullptr;
  llvm::DenseMap<Key, Frame> seen_; ///< within the current function
};

} // namespace warplint::ptx
