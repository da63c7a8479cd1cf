// `--diff` to the lines that changed, and to the sources and findings that they
// concern.
#pragma once
#include "findings/finding.h"
#include "input/command.h"
#include "input/unified_diff.h"

namespace warplint {

/// The lines that differ between a commit and the present files.
struct Changes {
  std::string root;   ///< folder of the repository or of the diff
  std::string commit; ///< empty if a diff was read from standard input
  ChangedLines lines; ///< by canonical path
};

/// `diff` is a revision, or "-" for a unified diff on standard input, with
/// names relative to the repository or to the current folder. A revision stands
/// for its merge base with HEAD. "HEAD" of a repository without a commit means
/// that everything is new. Fails outside a repository, and if there is no such
/// revision.
llvm::Expected<Changes> changesSince(llvm::StringRef diff);

/// Keeps the commands whose sources changed or may include a changed file.
void keepChanged(std::vector<Command> &commands, const Changes &changes);

/// Keeps the findings on changed lines, those reached through a call on one,
/// and kernels that got worse.
void keepChanged(std::vector<Finding> &findings, const Changes &changes);

} // namespace warplint
