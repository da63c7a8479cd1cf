// An installed Kokkos to the headers in which its Views without a layout have
// another one on the device than CUDA's LayoutLeft: that of the class Cuda.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

struct ChangedHeader {
  std::string path; ///< absolute: the header that it stands in for
  std::string text;
};

/// The changed headers of what is found by the include flags among `flags`,
/// relative ones from `directory`.
std::vector<ChangedHeader> withLayoutRight(llvm::ArrayRef<std::string> flags,
                                           llvm::StringRef directory);

} // namespace warplint
