// `.file` and `.loc` to LLVM debug locations, with the chain of inlined calls.
#pragma once
#include "ptx/ptx_text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace warplint::ptx {

class DebugInfo {
public:
  /// `textFile` is the file that the text itself is in, if it is in one.
  DebugInfo(const Module &text, llvm::Module &module, llvm::StringRef textFile);

  /// Gives the function a subprogram if its body has any `.loc`, or lies in a
  /// file itself. What follows speaks of this function until the next one
  /// begins.
  void begin(const Function &f, llvm::Function &function);

  /// The location of `.loc`, or null if the function has none. PTX names the
  /// caller of an inlined call by its place alone: it is the last `.loc` that
  /// named this place.
  llvm::DILocation *locate(const Location &l);

  /// The location for what stands before the first `.loc`.
  llvm::DILocation *start();

  /// The location of a line of the text itself, for what no `.loc` gives a line
  /// to; null if one does, or if the text is in no file.
  llvm::DILocation *ofText(unsigned line);

  void finish();

private:
  using Key = std::pair<unsigned, std::pair<unsigned, unsigned>>;
  struct Frame {
    llvm::DILocation *location = nullptr;
    unsigned depth = 0;
  };
  llvm::DIFile *file(unsigned index);
  llvm::DIScope *scopeIn(llvm::DISubprogram *subprogram, llvm::DIFile *file);
  llvm::DISubprogram *subprogram(llvm::StringRef name, llvm::DIFile *file,
                                 unsigned line);
  Frame caller(const Location &l, llvm::DISubprogram *callee);

  const Module &text_;
  llvm::DIBuilder builder_;
  llvm::DICompileUnit *unit_ = nullptr;
  llvm::DISubroutineType *type_ = nullptr;
  llvm::DenseMap<unsigned, llvm::DIFile *> files_;
  llvm::StringMap<llvm::DISubprogram *> callees_; ///< by mangled name
  llvm::DISubprogram *current_ = nullptr;
  llvm::DIFile *textFile_ = nullptr; ///< null if the text is in none
  bool hasLine_ = false;             ///< from the last `.loc`
  llvm::DenseMap<Key, Frame> seen_;  ///< within the current function
};

} // namespace warplint::ptx
