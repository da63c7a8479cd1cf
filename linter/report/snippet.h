// Renders a line of source for a terminal, and maps a column to it. Source
// columns are counted in bytes from 1, as Clang does; terminal columns in cells
// from 0.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

struct Snippet {
  std::string text; ///< valid UTF-8, no tabs, no control characters
  std::optional<unsigned> caret; ///< empty if the line has no such column
};

/// Cuts a line wider than `width` cells to the text around `column`, with "..."
/// for what is omitted.
Snippet snippet(llvm::StringRef line, unsigned column, unsigned width);

} // namespace warplint
