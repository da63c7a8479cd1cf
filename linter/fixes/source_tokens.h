// The text of a file as its author wrote it to tokens with places.
#pragma once
#include "model/place.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace warplint {

struct SourceToken {
  unsigned begin, end; ///< bytes
  /// `eod`: a whole directive without its newline, such as the body of a macro.
  clang::tok::TokenKind kind;
};

/// An index names a token. Predicates are false for an index past the end.
class SourceTokens {
public:
  /// `text` must end in a null and outlive this object.
  SourceTokens(std::string file, llvm::StringRef text);

  unsigned size() const { return tokens_.size(); }
  const SourceToken &operator[](unsigned at) const { return tokens_[at]; }
  llvm::StringRef text() const { return text_; }
  llvm::StringRef textOf(unsigned at) const {
    return text_.slice(tokens_[at].begin, tokens_[at].end);
  }
  /// The text of tokens [first, last).
  llvm::StringRef textOf(unsigned first, unsigned last) const {
    return first < last
               ? text_.slice(tokens_[first].begin, tokens_[last - 1].end)
               : "";
  }
  bool is(unsigned at, llvm::StringRef spelling) const {
    return at < size() && textOf(at) == spelling;
  }
  bool isIdentifier(unsigned at) const {
    return at < size() && tokens_[at].kind == clang::tok::raw_identifier;
  }
  bool isDirective(unsigned at) const {
    return at < size() && tokens_[at].kind == clang::tok::eod;
  }

  /// The token that begins at the place.
  std::optional<unsigned> at(const Place &place) const;
  /// The bracket that closes or opens the one at `at`, if there is one.
  std::optional<unsigned> closeOf(unsigned at) const;
  std::optional<unsigned> openOf(unsigned at) const;
  /// The braces around a token, the outermost first.
  std::vector<unsigned> bracesAround(unsigned at) const;
  /// The outermost braces around a token that are the body of a function.
  std::optional<unsigned> functionAround(unsigned at) const;

  Place place(unsigned offset) const;
  std::optional<unsigned> offset(const Place &place) const;
  /// The white space that the line of a byte begins with.
  llvm::StringRef indentation(unsigned offset) const;

private:
  void lex();
  void match();

  std::string file_;
  llvm::StringRef text_;
  std::vector<SourceToken> tokens_;
  std::vector<unsigned> lines_;    ///< where each begins
  std::vector<unsigned> partners_; ///< of brackets; else the token itself
};

} // namespace warplint
