// warplint's own headers, with which Clang reads CUDA as nvcc does. They are
// part of the program and are overlaid on the file system under their paths.
#pragma once
#include "input/toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct ShimFile {
  llvm::StringRef path; ///< absolute, in a folder that exists on no disk
  llvm::StringRef text;
};

llvm::ArrayRef<ShimFile> shimFiles();

/// Returns the flags that include them. With a toolkit they add to its headers;
/// without one they replace them, and neither its headers nor its device
/// library is searched. GCC's folder of omp.h comes last.
std::vector<std::string> shimFlags(const std::optional<Toolkit> &toolkit);

/// Returns the flags that make a Kokkos configured for the host one for CUDA;
/// they go before the command's own.
std::vector<std::string> kokkosFlags();
/// The folder that these flags name, without a slash at its end.
llvm::StringRef kokkosShimFolder();

} // namespace warplint
