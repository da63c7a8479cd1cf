// Splits PTX text into tokens.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace warplint::ptx {

struct Token {
  enum Kind : uint8_t {
    End,
    Word,      ///< names, opcodes with their dots, `%tid.x`
    Directive, ///< `.reg`, with its dot
    Integer,
    Real, ///< 0f or 0d and hexadecimal digits, or decimal with a point
    String,
    Punctuation, ///< one character, or `<<` and `>>`
  };
  Kind kind = End;
  llvm::StringRef text;
  unsigned line = 1;
  bool is(llvm::StringRef expected) const {
    return kind != String && text == expected;
  }
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text_(text) {}
  Token next();

private:
  void skipBlanks();
  void skipLine();
  Token take(Token::Kind kind, size_t length);
  size_t wordLength(size_t start) const;
  size_t numberLength(bool &isReal) const;
  char at(size_t offset) const {
    return offset < text_.size() ? text_[offset] : '\0';
  }

  llvm::StringRef text_; ///< the rest of the text
  unsigned line_ = 1;
};

} // namespace warplint::ptx
