// The current folder, and the folder of a file.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

std::string currentFolder(); ///< absolute

/// The absolute folder of `file`, which need not exist.
std::string folderOf(llvm::StringRef file);

} // namespace warplint
