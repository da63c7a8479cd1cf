// Where statements end, and what in them is evaluated (private to fixes).
#pragma once
#include "findings/fix.h"
#include "fixes/source_tokens.h"

namespace warplint {

/// The token after the statement that begins at `at`; behind the last token if
/// it does not end.
unsigned endOfStatement(const SourceTokens &tokens, unsigned at);

/// Returns true if the token `use`, in the statement at `at`, is evaluated
/// whenever that is executed. A loop's body may not be.
bool isAlwaysEvaluated(const SourceTokens &tokens, unsigned at, unsigned use);

/// Returns true if the statement that begins at `first` is the body, without
/// braces, of an `if`, a loop or an `else`. None if it may be, and directives
/// stand between the two.
std::optional<bool> isBareBody(const SourceTokens &tokens, unsigned first);

/// Returns true if the body that begins at `first` is on another line than the
/// end of its head.
bool isBelowHead(const SourceTokens &tokens, unsigned first);

/// The indentation of the `if`, loop or `else` whose body begins at the token
/// `first`.
llvm::StringRef headIndentation(const SourceTokens &tokens, unsigned first);

struct Braces {
  Edit open, close;
};

/// Braces for the body that begins at `first`: one behind its head, one on a
/// line of its own behind the byte `end`.
Braces bracesAround(const SourceTokens &tokens, unsigned first, unsigned end);

} // namespace warplint
