// The headers of a folder whose kernels are in no source that is read.
#pragma once
#include "run/batch.h"

namespace warplint {

/// Adds one note on those of `headers` that have kernels and that no source of
/// the batch read: silence would mean that they are clean.
void noteUnreadHeaders(Batch &batch, llvm::ArrayRef<std::string> headers);

} // namespace warplint
