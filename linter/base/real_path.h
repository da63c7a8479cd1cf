// A path without links.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// The path with all links resolved; empty if there is no such file.
std::string realPath(llvm::StringRef path);

} // namespace warplint
