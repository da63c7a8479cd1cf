// Tokens to the pieces of a text that stay or go together: declarations at
// namespace scope, and what stands between them.
#pragma once
#include "input/token_text.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warplint {

/// Tokens [first, last).
struct Piece {
  unsigned first, last;
  bool mayGo = false; ///< a declaration in a library's header
};

/// All tokens, in their order. Whatever cannot be divided is one piece.
/// `isLibrary` is asked about each file without gcc's mark of a system header.
std::vector<Piece> divide(const TokenText &text,
                          llvm::function_ref<bool(llvm::StringRef)> isLibrary);

} // namespace warplint
