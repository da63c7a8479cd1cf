// The edits of findings as suggestions of a review, which GitHub and GitLab
// apply with one click.
#pragma once
#include "findings/finding.h"
#include "input/buffers.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Prints the lines that each edit gives, fenced as "suggestion". Leaves out
/// what was rolled back. `root`: paths below it are relative to it.
void printSuggestions(const std::vector<const Finding *> &findings,
                      const Buffers &buffers, llvm::StringRef root,
                      llvm::raw_ostream &out);

} // namespace warplint
