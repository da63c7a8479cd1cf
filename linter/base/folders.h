// The folders that names are relative to.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

std::string currentFolder(); ///< absolute

/// The absolute folder that `file`, which need not exist, lies in.
std::string folderOf(llvm::StringRef file);

} // namespace warplint
