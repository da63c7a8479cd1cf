// The sources that one run reads, into the precompiled headers that are made
// before the first of them is parsed. Without this, two sources are parsed
// without them to find out that they are worth making.
#pragma once
#include "source/parse_request.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

/// `requests`: those whose parsing takes longest first. Looks at a few of each
/// set of flags, only where several sources have it, and once for each cache.
void expectHeaders(llvm::ArrayRef<ParseRequest> requests);

} // namespace warplint
