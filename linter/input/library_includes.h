// The headers of libraries that a source begins with, in its own includes and
// in those of its project's headers: what a precompiled header can hold for
// all sources that begin like it.
#pragma once
#include "input/buffers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct LibraryIncludes {
  /// "thrust/sort.h", as they are spelt, in the order in which Clang comes to
  /// them; as far as that depends on no condition.
  std::vector<std::string> headers;
  /// What the user's code may define or undefine on the way.
  std::vector<std::string> macros;
  std::vector<size_t> macrosBefore; ///< by header, how many of them
};

/// A library's is a header that no -I finds, or Kokkos' own. `flags` are
/// Clang's, used in `directory`.
LibraryIncludes libraryIncludes(const std::string &source,
                                llvm::StringRef directory,
                                llvm::ArrayRef<std::string> flags,
                                const Buffers &buffers);

} // namespace warplint
