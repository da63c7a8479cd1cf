// Matches the patterns of a configuration with kernel names and paths.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warplint {

/// A pattern is a glob, in which `*` matches any text, or a regular expression
/// between slashes, "/^ns::(a|b)$/", that matches anywhere in the name. Fails
/// with the reason if it is neither.
llvm::Error checkNamePattern(llvm::StringRef pattern);

/// Matches a glob with "ns::gather<float>", "ns::gather" and "gather".
bool matchesName(llvm::StringRef pattern, llvm::StringRef kernel);

llvm::Error checkPathPattern(llvm::StringRef pattern);

/// True if `file` lies under `folder` and the glob `pattern` matches it or a
/// folder that contains it. A pattern whose only slash is at its end is matched
/// with each part of the path below `folder`, others from its beginning.
bool matchesPath(llvm::StringRef pattern, llvm::StringRef folder,
                 llvm::StringRef file);

} // namespace warplint
