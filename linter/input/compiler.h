// Finds the compiler in the words of a command line.
#pragma once
#include "input/command.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

enum class Compiler {
  Nvcc,
  NvccWrapper, ///< Kokkos' script: compiles everything as CUDA
  Clang,
  Other,
};

/// `program` may have a folder.
Compiler compilerNamed(llvm::StringRef program);

/// The index of the compiler in a command, behind launchers (ccache, sccache,
/// `cmake -E env A=B`, kokkos_launch_compiler, time ...) and their flags. 0 if
/// no word before the first flag is a known compiler.
size_t compilerIndex(llvm::ArrayRef<std::string> arguments);

/// True if this command compiles its source as CUDA.
bool compilesCuda(const Command &command);

/// Splits a shell's command line into words and removes the quotes.
std::vector<std::string> splitCommandLine(llvm::StringRef line);

} // namespace warplint
