// The library headers that a source includes first, directly or through headers
// of its project. A precompiled header for all sources that begin alike can
// contain them.
#pragma once
#include "input/buffers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct LibraryIncludes {
  /// "thrust/sort.h", as spelt, in the order in which Clang reads them; without
  /// those inside conditions.
  std::vector<std::string> headers;
  /// The macros that the project's code may define or undefine before them.
  std::vector<std::string> macros;
  std::vector<size_t> macrosBefore; ///< by header, the number of macros
};

/// A library header is one that no -I finds, or one of Kokkos. `flags` are
/// Clang's, used in `directory`. Stops at the first directive with an unknown
/// effect.
LibraryIncludes libraryIncludes(const std::string &source,
                                llvm::StringRef directory,
                                llvm::ArrayRef<std::string> flags,
                                const Buffers &buffers);

} // namespace warplint
