// argv to Options. Only parse_options.cpp uses exceptions.
#pragma once
#include "run/options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// `arguments` is argv, with the program's name. Fails with one sentence, which
/// suggests a spelling for an unknown flag or command.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> arguments);

} // namespace warplint
