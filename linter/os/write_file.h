// A file that is there whole or as it was before.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace warplint {

/// Lets `print` write `file`. Fails with "'file' cannot be written: ...".
llvm::Error writeFile(const std::string &file,
                      llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace warplint
