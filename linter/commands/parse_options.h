// argv to Options. The only file that may throw is parse_options.cpp.
#pragma once
#include "run/options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// `arguments` is argv, the program's name first. Fails with the one sentence
/// to print, "did you mean" in it where a flag or command is misspelt.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> arguments);

} // namespace warplint
