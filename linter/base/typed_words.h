// What can be typed on the command line and in a configuration alike, checked.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warplint {

/// "; did you mean 'nearest'?", or nothing if it is empty.
std::string didYouMean(llvm::StringRef nearest);

/// Fails unless `block`, which is said for `key`, is one to three sizes such as
/// "32x8" that a block can have. An empty one is none.
llvm::Error checkBlock(llvm::StringRef key, llvm::StringRef block);

/// Fails unless each name, said for `key`, is one such as "sm_90".
llvm::Error checkArchitectures(llvm::StringRef key,
                               llvm::ArrayRef<std::string> names);

} // namespace warplint
