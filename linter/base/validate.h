// Checks values that users write on the command line and in configurations.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warplint {

/// The share, from 0 to 1, of the percentage that is the value of `key`. Fails
/// unless that is from 0 to 100.
llvm::Expected<double> leastShareOf(llvm::StringRef key, llvm::StringRef text);

/// Fails unless `block`, the value of `key`, is empty or one to three sizes
/// that a block can have, such as "32x8".
llvm::Error checkBlock(llvm::StringRef key, llvm::StringRef block);

/// Fails unless each of `names`, the values of `key`, is like "sm_90".
llvm::Error checkArchitectures(llvm::StringRef key,
                               llvm::ArrayRef<std::string> names);

} // namespace warplint
