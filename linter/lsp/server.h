// `warplint lsp`: the Language Server Protocol on standard input and output.
#pragma once
#include "run/options.h"

namespace warplint {

/// Serves one editor. Returns 0 if it sent 'shutdown' before 'exit' or before
/// it closed the stream, else 1.
int serve(const Options &options);

} // namespace warplint
