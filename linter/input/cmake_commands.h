// The text of a CMake file to its commands, which nobody runs.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

struct CmakeCommand {
  std::string name; ///< in lower case
  /// As written, without quotes and escapes; "${" where an escaped '$' stands,
  /// which no value can replace.
  std::vector<std::string> words;
  /// Inside of if, foreach, while, function, macro or block.
  bool isConditional = false;
};

/// Without what runs on another system than Linux alone, or in builds without
/// CUDA.
std::vector<CmakeCommand> commandsInCmake(llvm::StringRef text);

} // namespace warplint
