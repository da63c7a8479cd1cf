// A unified diff to the lines that it adds or changes.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

/// Lines `first` to `last` of the new file, both counted from 1.
struct LineRange {
  unsigned first = 0, last = 0;
  bool operator==(const LineRange &) const = default;
};

/// By file, as the diff names its new side, in the order of the lines. A file
/// that only lost lines, or whose name or mode changed, has an entry without
/// lines. A deleted file has no entry.
using ChangedLines = std::map<std::string, std::vector<LineRange>>;

/// Reads the output of git and of diff -u, with any number of context lines;
/// skips text between the files. Fails if the text is not empty and contains no
/// diff, or if the part of a file ends too early.
llvm::Expected<ChangedLines> readUnifiedDiff(llvm::StringRef text);

/// `name` without git's "a/" or "b/", or any other first folder.
llvm::StringRef withoutPrefix(llvm::StringRef name);

} // namespace warplint
