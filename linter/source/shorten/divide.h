// Tokens to pieces that are removed as a whole: declarations at namespace scope,
// and the tokens between them.
#pragma once
#include "source/shorten/token_text.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

/// Tokens [first, last).
struct Piece {
  unsigned first, last;
  enum {
    Between, ///< no declaration
    Own,     ///< a declaration that is not entirely in a library header
    MayGo    ///< a declaration to remove if nothing that stays refers to it
  } kind = Between;
  /// The '{' of a function body to remove, up to the last token; else 0.
  unsigned emptyBody = 0;
};

/// Covers all tokens, in order. Text that is not understood becomes one piece.
/// Calls `isLibrary` for each file without gcc's mark of a system header.
std::vector<Piece> divide(const TokenText &text,
                          llvm::function_ref<bool(llvm::StringRef)> isLibrary);

} // namespace warplint
