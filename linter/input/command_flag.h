// The flags on the command lines of compilers, apart from their values.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <string>

namespace warplint {

struct CommandFlag {
  llvm::StringRef name;  ///< without its one or two dashes; "I" of -Iinclude
  llvm::StringRef value; ///< empty if it has none
  bool hasValue = false;
  size_t words = 1; ///< 2: the value is the next word
};

/// Reads the flag that is the first of `words`: `-f`, `-f=value`, `-f value` or
/// `-Ivalue`. Knows which flags of nvcc and Clang (nvcc_flags.def) and of host
/// compilers take the next word. A word without a dash has no name.
CommandFlag readFlag(llvm::ArrayRef<std::string> words);

/// Returns true if one of `words` defines `macro` or undoes its definition, in
/// one word or two.
bool namesMacro(llvm::ArrayRef<std::string> words, llvm::StringRef macro);

} // namespace warplint
