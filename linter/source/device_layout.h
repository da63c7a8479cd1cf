// Changes the headers of an installed Kokkos so that Views without a layout
// have another one on the device than CUDA's LayoutLeft: that of the class
// Cuda.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

struct ChangedHeader {
  std::string path; ///< absolute path of the header that it replaces
  std::string text;
};

/// Returns the changed headers of the Kokkos that the include flags among
/// `flags` find, relative ones from `directory`.
std::vector<ChangedHeader> withLayoutRight(llvm::ArrayRef<std::string> flags,
                                           llvm::StringRef directory);

} // namespace warplint
