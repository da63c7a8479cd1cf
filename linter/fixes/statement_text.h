// Where statements end, and what in them is evaluated (private to fixes).
#pragma once
#include "fixes/source_tokens.h"

namespace warplint {

/// The token after the statement that begins at `at`; behind the last token if
/// it does not end.
unsigned endOfStatement(const SourceTokens &tokens, unsigned at);

/// Returns true if the token `use`, in the statement at `at`, is evaluated
/// whenever that is executed. A loop's body may not be.
bool isAlwaysEvaluated(const SourceTokens &tokens, unsigned at, unsigned use);

/// The indentation of the `if`, loop or `else` whose body begins at the token
/// `first`.
llvm::StringRef headIndentation(const SourceTokens &tokens, unsigned first);

} // namespace warplint
