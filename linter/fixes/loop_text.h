// Serves the edits of loops: a loop's parts as token numbers, the condition
// of its first iteration, names and indentation (private to fixes).
#pragma once
#include "fixes/source_tokens.h"
#include <optional>
#include <string>

namespace warplint {

/// Tokens [first, last).
struct TokenRange {
  unsigned first, last;
  unsigned size() const { return last - first; }
};

/// "=", "+=", ...
bool isAssignment(llvm::StringRef word);
/// "++", "--".
bool isStep(llvm::StringRef word);

/// `for (init; condition; step) body`, as token numbers.
struct ForLoop {
  unsigned keyword, firstSemicolon, secondSemicolon, close;
  unsigned end; ///< after the last token of its body
};

/// The loop whose header has this ')', without its end; none if it is no `for`
/// of three parts.
std::optional<ForLoop> forLoopOf(const SourceTokens &tokens, unsigned close);

/// Returns true if '&' takes the address of what begins at `at`.
bool isAddressTaken(const SourceTokens &tokens, unsigned at);

/// Returns true if tokens [first, last) may give `name` another value, or
/// declare it.
bool isChanged(const SourceTokens &tokens, unsigned first, unsigned last,
               llvm::StringRef name);

/// The condition under which the loop has a first iteration; empty if it has no
/// condition. None if that takes more than to replace the counter.
std::optional<std::string> firstIteration(const SourceTokens &tokens,
                                          const ForLoop &loop);

/// The name, or the first one with a number that the text does not have.
/// `taken`: more names that it may not be.
std::string newName(const SourceTokens &tokens, llvm::StringRef name,
                    llvm::ArrayRef<std::string> taken = {});
/// "a_value", likewise.
std::string newVariable(const SourceTokens &tokens, llvm::StringRef name,
                        llvm::ArrayRef<std::string> taken = {});

/// By which the statement of tokens [first, last) indents what is in it.
std::string indentStep(const SourceTokens &tokens, unsigned first,
                       unsigned last);

} // namespace warplint
