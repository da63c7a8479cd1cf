// Which names of kernels, and which paths, a pattern of a configuration means.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warplint {

/// A glob, in which `*` stands for any text, or a regular expression between
/// slashes, "/^ns::(a|b)$/", that may be found anywhere in the name. Fails,
/// with what is wrong with it, if it is neither.
llvm::Error checkNamePattern(llvm::StringRef pattern);

/// A glob is held against "ns::gather<float>", "ns::gather" and "gather".
bool matchesName(llvm::StringRef pattern, llvm::StringRef kernel);

llvm::Error checkPathPattern(llvm::StringRef pattern);

/// Whether `file` lies under `folder` and the pattern, a glob, means it or a
/// folder that it is in. One without a slash but at its end is held against
/// each part of the path below `folder`, another against its beginning.
bool matchesPath(llvm::StringRef pattern, llvm::StringRef folder,
                 llvm::StringRef file);

} // namespace warplint
