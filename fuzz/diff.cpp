#include "fuzz/targets.h"
#include "input/unified_diff.h"

void warplint::fuzzDiff(llvm::StringRef bytes) {
  auto changed = readUnifiedDiff(bytes);
  if (!changed)
    return llvm::consumeError(changed.takeError());
  for (const auto &[file, lines] : *changed)
    (void)withoutPrefix(file);
}
