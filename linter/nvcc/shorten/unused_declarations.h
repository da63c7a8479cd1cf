// A preprocessed source to one that nvcc compiles to the same machine code in
// less time: most of what it reads are declarations of headers that nothing
// names, or that only host code names (185 public samples and benchmarks: 75 %
// of the text, and in the median 74 % of nvcc's time behind its preprocessor;
// nvcc 13.0).
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// `text`, which a preprocessor has written, without those declarations at
/// namespace scope in library headers that nothing else in it can mean, and
/// without host code of the source's own that no device code depends on
/// (host_code.h). The rest is its own text; lines, columns and files stay right
/// by line markers. If the host may launch a library's kernels, through
/// thrust::sort, its code stays.
///
/// A declaration is meant if its name is a word of the source's own text, of
/// another declaration that stays, or of what nvcc itself adds: so overloads
/// and specialisations of a name stand or fall together. But a function
/// template or a partial specialisation over X<T> needs X to be meant too,
/// since whoever has an X has named it; a member defined outside its class
/// stays with the class, and an operator with a class that its parameters name.
/// Whatever cannot be divided or named stays.
///
/// `isLibrary` is asked about each file without gcc's mark of a system header.
/// With `keepsHostCode`, only what libraries declare goes.
std::string
withoutUnusedDeclarations(llvm::StringRef text,
                          llvm::function_ref<bool(llvm::StringRef)> isLibrary,
                          bool keepsHostCode = false);

} // namespace warplint
