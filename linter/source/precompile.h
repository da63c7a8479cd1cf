// Writes what Clang has parsed into a file: a precompiled header for many
// sources, or the preamble of a few.
#pragma once
#include "source/clang_files.h"
#include "source/parse_request.h"
#include "source/parsed_before.h"
#include "source/preamble.h"
#include "source/precompiled_header.h"
#include "clang/AST/DeclBase.h"
#include "clang/Frontend/CompilerInstance.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warplint {

/// Returns true if no kernel of the user's can be reached through `decl`. A
/// library's host function that is no template cannot name one, nor can a
/// member of a class template of the standard library: only its function
/// templates call generic lambdas that launch a kernel. Calls from such a
/// member to the user's types (`std::vector<Field<T>>` constructs its elements)
/// are missed: parsing these members takes half of a source's time.
bool knowsNoKernel(clang::Decl &decl);

/// Parses `words`, Clang's command line up to the text of `headers`, and writes
/// a precompiled header of it to `file`. `names` gets those that it depends on.
/// Returns false if there is an error.
bool writePrecompiledHeader(const ParseRequest &request,
                            std::vector<std::string> words,
                            const TextForClang &headers, llvm::StringRef file,
                            PrecompiledHeaderNames &names);

/// Parses `directives` behind `base` and writes a preamble of them to `file`.
/// `disk` is what they are read from; `user` are the flags of `userFlags`.
/// Sets the declarations and the files of `made`. Returns false if there is an
/// error.
bool writePreamble(const ParseRequest &request,
                   const std::vector<std::string> &user,
                   const ParsedBefore &base, const TextForClang &directives,
                   FileSystem disk, llvm::StringRef file,
                   MadePreamble &made);

/// Returns the declarations with these numbers in the preamble `file`, which
/// the instance has loaded.
std::vector<clang::Decl *>
declarationsOf(const clang::CompilerInstance &instance, llvm::StringRef file,
               llvm::ArrayRef<uint64_t> numbers);

} // namespace warplint
