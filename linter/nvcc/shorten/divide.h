// Tokens to the pieces of a text that stay or go together: declarations at
// namespace scope, and what stands between them.
#pragma once
#include "nvcc/shorten/token_text.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

/// Tokens [first, last).
struct Piece {
  unsigned first, last;
  enum {
    Between, ///< no declaration
    Own,     ///< a declaration of the source's, not all in a library's header
    MayGo    ///< a declaration that goes if nothing that stays names it
  } kind = Between;
  /// The '{' of a function's body that goes, up to the last token; else 0.
  unsigned emptyBody = 0;
};

/// All tokens, in their order. Whatever cannot be divided is one piece.
/// `isLibrary` is asked about each file without gcc's mark of a system header.
std::vector<Piece> divide(const TokenText &text,
                          llvm::function_ref<bool(llvm::StringRef)> isLibrary);

} // namespace warplint
