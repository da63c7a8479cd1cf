// Writes files atomically: a reader sees the old content or the new one.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace warplint {

/// Replaces `file` by what `print` prints. Fails with "'file' cannot be
/// written: ...".
llvm::Error writeFile(const std::string &file,
                      llvm::function_ref<void(llvm::raw_ostream &)> print);

/// The same where only a regular file may be, as in a folder that others
/// write to: what is no regular file is replaced, too.
llvm::Error replaceFile(const std::string &file,
                        llvm::function_ref<void(llvm::raw_ostream &)> print);

/// Makes a folder and those above it; fails if there is none then.
std::error_code makeFolder(llvm::StringRef folder);

} // namespace warplint
