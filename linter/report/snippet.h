// A line of source to what a terminal can show of it, and where in that a
// column is. Columns of the source are counted in bytes from 1, as Clang does;
// columns of the terminal in cells from 0.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

struct Snippet {
  std::string text; ///< valid UTF-8, no tabs, no control characters
  std::optional<unsigned> caret; ///< empty if the line has no such column
};

/// A line wider than `width` cells is cut to the part around `column`, with
/// "..." for what is left out.
Snippet snippet(llvm::StringRef line, unsigned column, unsigned width);

} // namespace warplint
