// The commands and their options to a completion script of a shell.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warplint {

/// Fails if the shell is not bash, zsh or fish.
llvm::Expected<std::string> completionScript(llvm::StringRef shell);

} // namespace warplint
