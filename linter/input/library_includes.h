// The library headers that a source includes, directly or through headers of
// its project. A precompiled header for sources that use the same libraries can
// contain them.
#pragma once
#include "input/include_graph.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

/// "thrust/sort.h", as spelt, in the order in which Clang reads them; without
/// those inside a condition unless the macros of the flags, of nvcc and of the
/// project's files decide that it holds. A library header is one that no -I
/// finds, or one of Kokkos. `flags` are Clang's, used in `directory`.
std::vector<std::string> libraryIncludes(const std::string &source,
                                         llvm::StringRef directory,
                                         llvm::ArrayRef<std::string> flags,
                                         IncludeGraph &graph);

/// The headers of the C library that sources include by these names.
llvm::ArrayRef<llvm::StringLiteral> headersOfC();
bool isHeaderOfC(llvm::StringRef header);

} // namespace warplint
