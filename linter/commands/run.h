// The whole program; its streams are passed in.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// `arguments` is argv. Returns the exit code: 0 clean, 1 findings, 2 warplint
/// itself failed, 3 some source could not be read. `terminal`: `out` is a
/// terminal.
int run(llvm::ArrayRef<const char *> arguments, llvm::raw_ostream &out,
        llvm::raw_ostream &err, bool terminal);

} // namespace warplint
