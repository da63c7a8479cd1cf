// Clang's actions that write what it has parsed into a file: a precompiled
// header for many sources, or the preamble of a few.
#pragma once
#include "source/precompiled_header.h"
#include "clang/AST/DeclBase.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace warplint {

/// Returns true if no kernel of the user's can be reached through `decl`. A
/// library's host function that is no template cannot name one, nor can a
/// member of a class template of the standard library: only its function
/// templates call generic lambdas that launch a kernel. Calls from such a
/// member to the user's types (`std::vector<Field<T>>` constructs its elements)
/// are missed: parsing these members takes half of a source's time.
bool knowsNoKernel(clang::Decl &decl);

/// Writes a precompiled header to the instance's output file, and collects the
/// names that it depends on.
std::unique_ptr<clang::FrontendAction>
precompileHeader(PrecompiledHeaderNames &names);

/// Writes the preamble that is the main file's text. `declarations` become
/// those of MadePreamble.
std::unique_ptr<clang::FrontendAction>
precompilePreamble(std::vector<uint64_t> &declarations);

/// Returns the declarations with these numbers in the preamble `file`, which
/// the instance has loaded.
std::vector<clang::Decl *>
declarationsOf(const clang::CompilerInstance &instance, llvm::StringRef file,
               llvm::ArrayRef<uint64_t> numbers);

} // namespace warplint
