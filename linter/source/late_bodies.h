// Parses the bodies of a library's device functions only where a source uses
// them. Most of the functions in the toolkit's headers are used by no source,
// and Clang itself has this for templates alone.
#pragma once
#include "clang/Lex/Token.h"
#include "clang/Sema/Sema.h"
#include <optional>
#include <vector>

namespace warplint {

class LateBodies {
public:
  /// Takes note of each token that the parser gets.
  void see(const clang::Token &token);

  /// Returns true if the body that the parser is about to enter can wait. The
  /// parser is then to skip it.
  bool takes(const clang::Sema &sema, clang::FunctionDecl &function);

  /// Parses the bodies of those functions that have been used by the end of the
  /// source, and then of those that they use.
  void parseUsed(clang::Sema &sema);

private:
  struct Late {
    clang::FunctionDecl *function;
    clang::CachedTokens body;
    clang::FPOptions floatingPoint;
  };
  static void parse(clang::Sema &sema, Late late);

  std::vector<Late> late_;
  std::optional<clang::Token> brace_; ///< if it is the last token
  unsigned depth_ = 0; ///< braces that are open in the body being skipped
  bool isOver_ = false;
};

} // namespace warplint
