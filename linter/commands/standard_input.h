// Standard input to the text of a source: --stdin-filename.
#pragma once
#include "run/options.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// Reads standard input if the options ask for it. Text that differs from the
/// file's is linted unjudged, since nvcc reads files. Fails if standard input
/// cannot be read, or if the name is a folder's.
llvm::Error readStandardInput(Options &options);

} // namespace warplint
