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

/// By file, as the diff names its new side, in the order of their lines. A file
/// of which lines were only taken out, or that has another name or mode now, is
/// there without lines; one that is gone is not.
using ChangedLines = std::map<std::string, std::vector<LineRange>>;

/// Reads what git and diff -u write, with any number of lines of context; what
/// stands between the files is left alone. Fails if there is text and none of
/// it is a diff, or if a file's part ends too early.
llvm::Expected<ChangedLines> readUnifiedDiff(llvm::StringRef text);

/// `name` without git's "a/" or "b/", or any other first folder.
llvm::StringRef withoutPrefix(llvm::StringRef name);

} // namespace warplint
