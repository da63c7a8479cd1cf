// Refuses to write a report over what the run reads: a report in the place of a
// source cannot be undone.
#pragma once
#include "run/options.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// Fails if a file that the options write is an input of the run, or a source
/// that exists. `-o *.cu` is spelled by accident, and the shell completes it.
llvm::Error keepInputs(const Options &options);

} // namespace warplint
