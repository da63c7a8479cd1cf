// The current folder, and the folder of a file.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

std::string currentFolder(); ///< absolute

/// The absolute folder of `file`, which need not exist.
std::string folderOf(llvm::StringRef file);

/// Returns true for what Python's package managers installed, by its path: it
/// is a library's.
bool isInstalledForPython(llvm::StringRef path);

} // namespace warplint
