// Flags of a compiler to where they let it look for includes.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct SearchFlag {
  llvm::StringRef name; ///< "-I"
  std::string path;     ///< absolute; "-include" and "-imacros" name a file
};

/// In their order, for a command that runs in `directory`.
std::vector<SearchFlag> searchFlags(llvm::StringRef directory,
                                    llvm::ArrayRef<std::string> flags);

/// The path of a name that is relative to `folder`, or to none; as it is spelt,
/// since a folder before '..' may be a link.
std::string pathIn(llvm::StringRef folder, llvm::StringRef name);

/// The same without dots: one spelling for what is spelt in many ways.
std::string plainPathIn(llvm::StringRef folder, llvm::StringRef name);

} // namespace warplint
