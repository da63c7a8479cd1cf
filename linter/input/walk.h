// A folder to the sources below it.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

struct FolderContent {
  std::vector<std::string> sources;    ///< .cu, and C++ that may be CUDA
  std::vector<std::string> headers;    ///< .cuh
  std::vector<std::string> others; ///< headers that may be CUDA: .h, .hpp
  std::vector<std::string> unreadable; ///< folders, with the reason
  /// Copies of Kokkos below the folder whose tests are left out, and how many
  /// sources that are.
  std::map<std::string, size_t> testsOf;
};

bool isCudaSource(llvm::StringRef file); ///< by its extension
bool isCxxSource(llvm::StringRef file);
bool isPtxText(llvm::StringRef file);
bool isHeader(llvm::StringRef file);

/// Finds every source under `folder`, in an order that depends on names only.
/// Skips hidden folders and build folders (with a CMakeCache.txt), unless
/// `folder` itself is one. Skips the tests, examples and benchmarks of
/// a copy of Kokkos: users of a library do not change its tests. Follows links,
/// and reads each folder once.
FolderContent walk(llvm::StringRef folder);

} // namespace warplint
