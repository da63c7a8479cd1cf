#include "input/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace warplint {

namespace {

/// A backslash at the end of a line continues a line comment.
size_t lineCommentEnd(StringRef text, size_t at) {
  for (size_t end = text.find('\n', at); end != StringRef::npos;
       end = text.find('\n', end + 1))
    if (!text.slice(at, end).rtrim('\r').ends_with("\\"))
      return end;
  return text.size();
}

/// Finds the end of R"tag( ... )tag", which has no escapes.
size_t rawStringEnd(StringRef text, size_t quote) {
  const StringRef rest = text.substr(quote + 1);
  const std::string close =
      (")" + rest.take_until([](char c) { return c == '('; }) + "\"").str();
  const size_t end = rest.find(close);
  return end == StringRef::npos ? text.size() : quote + 1 + end + close.size();
}

/// A quote without a second one on its line begins no literal: the apostrophe
/// of an #error.
size_t literalEnd(StringRef text, size_t quote) {
  for (size_t i = quote + 1; i < text.size() && text[i] != '\n'; ++i)
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[quote])
      return i + 1;
  return quote + 1;
}

/// The word that ends before `at`: "u8R" of u8R"(...)", "1" of 1'000.
StringRef wordBefore(StringRef text, size_t at) {
  StringRef before = text.take_front(at);
  size_t start = before.size();
  while (start &&
         (llvm::isAlnum(before[start - 1]) || before[start - 1] == '_'))
    --start;
  return before.substr(start);
}

/// The end of the literal that starts at `at`; `at` if there is none.
size_t endOfLiteral(StringRef text, size_t at) {
  const StringRef word = wordBefore(text, at);
  if (text[at] == '"')
    return llvm::is_contained({"R", "u8R", "uR", "UR", "LR"}, word)
               ? rawStringEnd(text, at)
               : literalEnd(text, at);
  if (text[at] == '\'' && (word.empty() || !llvm::isDigit(word.front())))
    return literalEnd(text, at);
  return at;
}

size_t endOfComment(StringRef text, size_t at) {
  const StringRef rest = text.substr(at);
  if (rest.starts_with("//"))
    return lineCommentEnd(text, at);
  if (!rest.starts_with("/*"))
    return at;
  const size_t end = text.find("*/", at + 2);
  return end == StringRef::npos ? text.size() : end + 2;
}

} // namespace

SourceText::SourceText(StringRef text) : text_(text), code_(text) {
  auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i)
      if (code_[i] != '\n')
        code_[i] = ' ';
  };
  for (size_t i = 0; i < text.size();) {
    if (const size_t end = endOfComment(text, i); end != i) {
      comments_.push_back({i, end, text.slice(i, end)});
      blank(i, end);
      i = end;
    } else if (const size_t end = endOfLiteral(text, i); end > i + 1) {
      blank(i + 1, end - 1);
      i = end;
    } else {
      ++i;
    }
  }
  starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      starts_.push_back(i + 1);
}

unsigned SourceText::lineOf(size_t byte) const {
  return llvm::upper_bound(starts_, byte) - starts_.begin();
}

unsigned SourceText::columnOf(size_t byte) const {
  return byte - starts_[lineOf(byte) - 1] + 1;
}

size_t SourceText::startOf(unsigned line) const {
  return line <= starts_.size() ? starts_[line - 1] : text_.size();
}

bool SourceText::hasCode(unsigned line) const {
  return !StringRef(code_)
              .slice(startOf(line), startOf(line + 1))
              .trim()
              .empty();
}

} // namespace warplint
