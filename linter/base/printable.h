// Text from anywhere to text for a terminal: names of files may hold escape
// sequences and line breaks.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// The bytes of the first character of `text`, which is not empty; 1 if it is
/// no valid UTF-8.
size_t characterSize(llvm::StringRef text);

/// In the place of a character that cannot be printed: U+FFFD.
inline constexpr llvm::StringLiteral replacementCharacter = "\xEF\xBF\xBD";

/// Replaces control characters, line breaks among them, and invalid UTF-8.
std::string printable(llvm::StringRef text);

/// GitHub's runner obeys such a line, blanks before it or not.
bool isWorkflowCommand(llvm::StringRef line);

/// The same for each line of a text of several lines. Behind the first, a name
/// with a line break in it must not look like a workflow command.
std::string printableLines(llvm::StringRef text);

} // namespace warplint
