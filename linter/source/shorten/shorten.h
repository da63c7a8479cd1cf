// The preprocessed text of a source to a shorter one that nvcc compiles to the
// same machine code in less time. Most of the text are declarations of headers
// that nothing names, or that only host code names (185 public samples and
// benchmarks, nvcc 13.0: 75 % of the text goes, and with it, in the median, 74
// % of nvcc's time after preprocessing).
//
// The rest of this folder, in the order of the work; tokens_for_parser takes the
// same steps with the tokens that Clang parses:
//   token_text           text to tokens
//   divide               tokens to pieces: declarations at namespace scope
//   declared_names       a declaration to the names that refer to it
//   host_code            marks pieces that only the host needs
//   unused_declarations  pieces to those that the others may refer to
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

/// Removes from `text` the declarations at namespace scope in library headers
/// that nothing in the rest can refer to (unused_declarations.h), and the
/// source's own host code that no device code depends on (host_code.h). Does
/// not change the rest; line markers keep its lines and columns. Removes no
/// host code if the host may launch a library's kernels, such as through
/// thrust::sort, or if `keepsHostCode`.
///
/// `isLibrary` is called for each file without gcc's mark of a system header.
std::string shorten(llvm::StringRef text,
                    llvm::function_ref<bool(llvm::StringRef)> isLibrary,
                    bool keepsHostCode = false);

/// The names of the files that the line markers of `text` name, each once.
std::vector<llvm::StringRef> filesIn(llvm::StringRef text);

} // namespace warplint
