#include "ptx/ptx_lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using llvm::StringRef;

namespace warplint::ptx {

static bool startsWord(char c) {
  return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%';
}
static bool continuesWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$';
}

void Lexer::skipLine() {
  text_ = text_.drop_front(std::min(text_.find('\n'), text_.size()));
}

void Lexer::skipBlanks() {
  for (; !text_.empty();) {
    char c = text_.front();
    if (c == '\n')
      ++line_;
    if (llvm::isSpace(c) || c == '\0') {
      text_ = text_.drop_front();
    } else if (text_.starts_with("//") || text_.starts_with("@@DWARF") ||
               c == '#') {
      skipLine();
    } else if (text_.starts_with("/*")) {
      size_t end = text_.find("*/", 2);
      StringRef comment =
          text_.take_front(end == StringRef::npos ? end : end + 2);
      line_ += comment.count('\n');
      text_ = text_.drop_front(comment.size());
    } else {
      return;
    }
  }
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token{kind, text_.take_front(length), line_};
  text_ = text_.drop_front(token.text.size());
  return token;
}

/// Dots and `::` are part of a word: `ld.global.L2::128B.f32`, `%tid.x`.
size_t Lexer::wordLength(size_t start) const {
  size_t n = start;
  for (;;) {
    while (continuesWord(at(n)))
      ++n;
    if (at(n) == '.' && continuesWord(at(n + 1)))
      ++n;
    else if (at(n) == ':' && at(n + 1) == ':' && continuesWord(at(n + 2)))
      n += 2;
    else
      return n;
  }
}

size_t Lexer::numberLength(bool &isReal) const {
  size_t n = 0;
  while (llvm::isAlnum(at(n)))
    ++n;
  StringRef digits = text_.take_front(n);
  isReal = digits.starts_with_insensitive("0f") ||
           digits.starts_with_insensitive("0d");
  if (at(n) != '.' || !llvm::isDigit(at(n + 1)))
    return n;
  isReal = true;
  for (++n; llvm::isAlnum(at(n)) || ((at(n) == '+' || at(n) == '-') &&
                                     llvm::toLower(at(n - 1)) == 'e');)
    ++n;
  return n;
}

Token Lexer::next() {
  skipBlanks();
  if (text_.empty())
    return {Token::End, text_, line_};
  char c = text_.front();
  if (startsWord(c))
    return take(Token::Word, wordLength(1));
  if (llvm::isDigit(c)) {
    bool isReal = false;
    size_t length = numberLength(isReal);
    return take(isReal ? Token::Real : Token::Integer, length);
  }
  if (c == '.') {
    size_t n = 1;
    while (continuesWord(at(n)))
      ++n;
    return take(Token::Directive, n);
  }
  if (c == '"') {
    size_t end = text_.find('"', 1);
    Token token = take(Token::String, end == StringRef::npos ? end : end + 1);
    line_ += token.text.count('\n');
    token.text = token.text.trim('"');
    return token;
  }
  if (text_.starts_with("<<") || text_.starts_with(">>"))
    return take(Token::Punctuation, 2);
  return take(Token::Punctuation, 1);
}

} // namespace warplint::ptx
