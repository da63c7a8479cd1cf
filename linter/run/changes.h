// `--diff` to what changed since then, and to what of a run that leaves.
#pragma once
#include "findings/finding.h"
#include "input/command.h"
#include "input/unified_diff.h"

namespace warplint {

/// What changed between a commit and the files as they lie here.
struct Changes {
  std::string root;   ///< the folder that the repository, or the diff, is of
  std::string commit; ///< empty if a diff was read from standard input
  ChangedLines lines; ///< by canonical path
};

/// `diff` is "-" for a unified diff on standard input, whose names are relative
/// to the repository's folder or to this one; else a revision. What counts is
/// what changed since the branch left it (the merge base). "HEAD" of a
/// repository without a commit means that everything is new. Fails with a
/// sentence outside a repository, and if there is no such revision.
llvm::Expected<Changes> changesSince(llvm::StringRef diff);

/// Leaves the commands whose sources changed, or may include what did.
void keepChanged(std::vector<Command> &commands, const Changes &changes);

/// Leaves the findings that stand on changed lines, or are reached through a
/// call on one.
void keepChanged(std::vector<Finding> &findings, const Changes &changes);

} // namespace warplint
