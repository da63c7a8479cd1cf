// Edited texts as a unified diff, and edits as YAML for other tools.
#pragma once
#include "findings/finding.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace warplint {

/// Prints what `patch -p1` and `git apply` take. `before` has every file of
/// `after`; paths below `root` are relative to it.
void printPatch(const std::map<std::string, std::string> &before,
                const std::map<std::string, std::string> &after,
                llvm::StringRef root, llvm::raw_ostream &out);

/// Prints the edits of all findings but those that were rolled back, as
/// clang-apply-replacements reads them. Edits that overlap earlier ones are
/// left out.
void printReplacements(const std::vector<Finding> &findings,
                       llvm::raw_ostream &out);

} // namespace warplint
