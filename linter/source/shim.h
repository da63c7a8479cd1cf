// Headers of ours that make Clang read CUDA as nvcc does. They are part of the
// program: whoever parses lays them over the file system under their paths.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct ShimFile {
  llvm::StringRef path; ///< absolute, below a folder that no disk has
  llvm::StringRef text;
};

llvm::ArrayRef<ShimFile> shimFiles();

/// The flags that put them into a parse. With a toolkit they add to its
/// headers; without one they stand in for them, and neither its headers nor its
/// device library is looked for. GCC's folder of omp.h is among them, last.
std::vector<std::string> shimFlags(bool hasToolkit);

/// The flags that make a Kokkos which was configured for the host one for CUDA;
/// they go before the command's own.
std::vector<std::string> kokkosFlags();

} // namespace warplint
