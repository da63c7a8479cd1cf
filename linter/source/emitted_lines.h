// Knows which lines the device IR has code of: only they are asked for names,
// and a source's headers have many others.
#pragma once
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"
#include <map>
#include <string>

namespace warplint {

class EmittedLines {
public:
  /// Of the instructions and of the scopes around them, whose place several
  /// instructions share that passes have joined.
  EmittedLines(const llvm::Module &module, clang::CompilerInstance &instance);

  /// Returns true if `location` may be in a line that has code.
  bool has(clang::SourceLocation location);

private:
  using Lines = llvm::DenseSet<unsigned>;
  struct File {
    const Lines *lines = nullptr; ///< null: none
    bool isRenumbered = false;    ///< by `#line`
  };
  const File &file(clang::FileID id);

  clang::CompilerInstance &instance_;
  std::map<std::string, Lines> lines_; ///< by absolute path
  llvm::DenseMap<clang::FileID, File> files_;
};

} // namespace warplint
