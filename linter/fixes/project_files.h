// Which files a fix may change.
#pragma once
#include "input/command.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// The folder that holds the project of a command: that of its compile
/// database, else the repository or the folder of the nearest .warplint.yaml,
/// else the source's own.
std::string projectOf(const Command &command);

/// Returns true if `file` is a regular file in the folder, wherever links lead,
/// that the user may write, and no program made its text.
bool mayChange(const std::string &file, llvm::StringRef text,
               const std::string &project);

} // namespace warplint
