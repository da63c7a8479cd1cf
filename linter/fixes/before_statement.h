// Variables that are declared before the statement that needs them (private to
// fixes).
#pragma once
#include "fixes/statement_text.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

/// The statement around a token: the whole branch for one in its condition.
struct Around {
  unsigned first, last; ///< behind its ';' or '}'
  bool isAlone;         ///< the body of an `if` or a loop, without braces
};

/// Returns none if the token is in the header of a loop or in a list of values.
std::optional<Around> statementAround(const SourceTokens &tokens, unsigned at);

/// Arithmetic of names, members, elements and numbers: it may be computed
/// before its statement, if that changes none of them.
bool mayMove(const SourceTokens &tokens, unsigned first, unsigned last,
             const Around &statement);

/// A macro may be more than one operand, or do something each time.
bool mayBeMacro(const SourceTokens &tokens, llvm::StringRef name);

/// "float", "double", "int", "unsigned".
bool isType(llvm::StringRef word);

/// Puts lines before a statement, and braces around both if it is a body
/// without any. `edits`: of the statement, in their order. `deeper`: further
/// white space before it.
std::vector<Edit> withLinesBefore(const SourceTokens &tokens,
                                  const Around &statement,
                                  llvm::ArrayRef<std::string> lines,
                                  std::vector<Edit> edits,
                                  llvm::StringRef deeper = "");

} // namespace warplint
