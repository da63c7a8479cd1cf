// The words of a command line to the compiler that is in them.
#pragma once
#include "input/command.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

enum class Compiler {
  Nvcc,
  NvccWrapper, ///< Kokkos' script: all it is given is CUDA
  Clang,
  Other,
};

/// Which compiler a program's name, with or without a folder, stands for.
Compiler compilerNamed(llvm::StringRef program);

/// Where the compiler stands in a command: behind launchers (ccache, sccache,
/// `cmake -E env A=B`, kokkos_launch_compiler, time ...) and their flags. 0 if
/// no word before the first flag is a compiler that we know.
size_t compilerIndex(llvm::ArrayRef<std::string> arguments);

/// How many words the flag takes that is the first of `words`: 2 if its value
/// is a word of its own. nvcc's flags and Clang's are known (nvcc_flags.def).
size_t wordsOfFlag(llvm::ArrayRef<std::string> words);

/// Returns true if nvcc has the flag that `word` begins (nvcc_flags.def).
bool isNvccFlag(llvm::StringRef word);

/// Whether a build with this command takes `source` as CUDA.
bool compilesCuda(const Command &command);

/// The words of a shell's command line, quotes undone.
std::vector<std::string> splitCommandLine(llvm::StringRef line);

} // namespace warplint
