// Translates `.file` and `.loc` to LLVM debug locations, with the chain of
// inlined calls.
#pragma once
#include "ptx/ptx_text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace warplint::ptx {

class DebugInfo {
public:
  /// `textFile` is the file of the text itself, or empty.
  DebugInfo(const Module &text, llvm::Module &module, llvm::StringRef textFile);

  /// Starts a function: adds a subprogram if its body has any `.loc` or the
  /// text has a file. Later calls refer to this function until the next one
  /// begins.
  void begin(const Function &f, llvm::Function &function);

  /// Returns the location of `.loc`, or null if the function has no subprogram.
  /// PTX identifies the caller of an inlined call only by its place: the last
  /// `.loc` with this place.
  llvm::DILocation *locate(const Location &l);

  /// Returns the location for instructions before the first `.loc`.
  llvm::DILocation *start();

  /// Returns the location of a line of the text, for instructions without a
  /// `.loc` line; null if they have one, or if the text has no file.
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
  llvm::DIFile *textFile_ = nullptr; ///< null if the text has no file
  bool hasLine_ = false;             ///< from the last `.loc`
  llvm::DenseMap<Key, Frame> seen_;  ///< within the current function
};

} // namespace warplint::ptx
