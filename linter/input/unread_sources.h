// Why a path gave no source, and which sources that may have kernels are not
// read: silence would read as clean.
#pragma once
#include "input/include_graph.h"
#include "input/source_databases.h"
#include "input/typed_paths.h"

namespace warplint {

/// "no CUDA source (...) under 'DIR'".
std::string emptySentence(const TypedPath &path, SourceDatabases &databases);

/// Notes where kernels are below a folder without a CUDA source: "2 headers
/// have kernels: first 'FILE'; a header that is named is read".
void noteKernelsElsewhere(const TypedPath &path, const Buffers &buffers,
                          std::vector<std::string> &notes);

/// Notes sources of folders that are not read although they may use Kokkos:
/// nobody knows which folder has `header`.
void noteUnclear(llvm::ArrayRef<std::string> sources, llvm::StringRef header,
                 std::vector<std::string> &notes);

/// Returns true for C++ that a build may compile with '-x cu', for its own
/// kernels or for those that a header next to it launches.
bool mayBeCuda(const std::string &source, IncludeGraph &includes);

/// Notes sources of folders that are not read although they `mayBeCuda`.
void noteWithKernels(std::vector<std::string> sources, IncludeGraph &includes,
                     std::vector<std::string> &notes);

} // namespace warplint
