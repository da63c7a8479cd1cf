// A source to the files that it may include, found in their text: much quicker
// than preprocessing, and never fewer than that finds.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

/// `"heat/step.h"` or `<Kokkos_Core.hpp>` with its first mark, of each
/// #include in a text that no macro names.
std::vector<llvm::StringRef> includesIn(llvm::StringRef text);

/// The file that such an include of `file` names: beside it, if it is in
/// quotes, else in the first of `folders` that has it. Empty if none has.
std::string findIncluded(llvm::StringRef include, llvm::StringRef file,
                         llvm::ArrayRef<std::string> folders);

} // namespace warplint
