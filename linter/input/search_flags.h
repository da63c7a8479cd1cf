// The flags of a compiler to the paths that it searches for includes.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct SearchFlag {
  llvm::StringRef name; ///< "-I"
  std::string path;     ///< absolute; a file for "-include" and "-imacros"
};

/// In order, for a command that runs in `directory`.
std::vector<SearchFlag> searchFlags(llvm::StringRef directory,
                                    llvm::ArrayRef<std::string> flags);

/// The absolute path of `name`, which may be relative to `folder`. Does not
/// remove "..", since the folder before it may be a link.
std::string pathIn(llvm::StringRef folder, llvm::StringRef name);

/// The same without "." and "..", so that equal paths have one spelling.
std::string plainPathIn(llvm::StringRef folder, llvm::StringRef name);

} // namespace warplint
