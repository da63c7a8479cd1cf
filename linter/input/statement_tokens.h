// The tokens of a source without its directives, and what a run of them names.
//
// Positions count tokens; a run goes from `first` to before `last`.
#pragma once
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

class StatementTokens {
public:
  struct Token {
    size_t begin, end; ///< bytes of the text
    clang::tok::TokenKind kind;
  };

  /// `text` ends with a null byte and must live as long as this.
  explicit StatementTokens(llvm::StringRef text);

  size_t size() const { return tokens_.size(); }
  const Token &operator[](size_t at) const { return tokens_[at]; }
  bool is(size_t at, clang::tok::TokenKind kind) const {
    return at < tokens_.size() && tokens_[at].kind == kind;
  }
  /// Empty behind the last token.
  llvm::StringRef spelling(size_t at) const;
  bool isWord(size_t at) const { return is(at, clang::tok::raw_identifier); }
  /// A word that may be declared or follow a type: no `return`.
  bool isName(size_t at) const;
  bool isOpen(size_t at) const;
  bool isClose(size_t at) const;
  bool isAssignment(size_t at) const;
  /// The end of a type before a name: "float", ">", "*".
  bool endsType(size_t at) const;

  /// The bracket that closes what opens at `open`; `size()` if none does.
  size_t closeOf(size_t open) const;
  /// The bracket that opens what closes at `close`; `first` if none does.
  size_t openOf(size_t close, size_t first) const;

  /// Adds the variables that a run assigns or declares, each once: "sum" of
  /// `sum[r] += x`, "p.v" of `*p.v[i] = 1`.
  void addAssigned(size_t first, size_t last,
                   std::vector<std::string> &names) const;
  /// The words before the name that a run declares; empty if it declares none.
  std::string typeOf(size_t first, size_t last) const;
  /// The name of the parameter that a run declares; empty if it has none.
  std::string parameterName(size_t first, size_t last) const;

private:
  std::string pathBefore(size_t end, size_t first) const;
  std::string pathAfter(size_t at, size_t last) const;

  llvm::StringRef text_;
  std::vector<Token> tokens_;
};

} // namespace warplint
