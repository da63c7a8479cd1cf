// `warplint lsp`: the Language Server Protocol on standard input and output.
#pragma once
#include "run/options.h"

namespace warplint {

/// Serves one editor. 0 if it said 'shutdown' before 'exit' or before it went,
/// else 1.
int serve(const Options &options);

} // namespace warplint
