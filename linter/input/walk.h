// A folder to the sources below it.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct FolderContent {
  std::vector<std::string> sources;    ///< .cu, and C++ that may be CUDA
  std::vector<std::string> headers;    ///< .cuh
  std::vector<std::string> others; ///< headers that may be CUDA: .h, .hpp
  std::vector<std::string> unreadable; ///< folders, with the reason
};

bool isCudaSource(llvm::StringRef file); ///< by its extension
bool isCxxSource(llvm::StringRef file);
bool isPtxText(llvm::StringRef file);
bool isHeader(llvm::StringRef file);

/// Finds every source under `folder`, in an order that depends on names only.
/// Skips hidden folders and build folders (with a CMakeCache.txt), unless
/// `folder` itself is one. Follows links, and reads each folder once.
FolderContent walk(llvm::StringRef folder);

} // namespace warplint
