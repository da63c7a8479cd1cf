#include "source/shorten/token_text.h"
#include "input/lexer_language.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {

static constexpr StringLiteral KeywordWords =
    "alignas alignof auto bool char char16_t char32_t char8_t concept const "
    "consteval constexpr constinit decltype default delete double explicit "
    "export extern false final float friend inline int long mutable noexcept "
    "register return short signed sizeof static this thread_local throw true "
    "typedef typename unsigned virtual void volatile wchar_t __attribute__ "
    "__attribute __inline __inline__ __extension__ __restrict __restrict__ "
    "__const __signed__ __volatile__ __asm__ __asm __declspec __typeof__ "
    "__typeof __alignof__ _Noreturn __forceinline__ asm typeof _Alignas "
    "struct class union enum using template namespace operator requires "
    "static_assert _Static_assert for";

std::optional<LineMarker> readLineMarker(StringRef directive) {
  directive = directive.ltrim().drop_front().ltrim(); // the '#'
  directive.consume_front("line");
  directive = directive.ltrim();
  LineMarker marker;
  if (directive.consumeInteger(10, marker.line))
    return std::nullopt;
  directive = directive.ltrim();
  const size_t close = directive.rfind('"');
  if (!directive.consume_front("\"") || close == 0 || close == StringRef::npos)
    return std::nullopt;
  marker.file = directive.take_front(close - 1);
  marker.isSystem = directive.drop_front(close).contains('3');
  return marker;
}

bool takesParentheses(StringRef word) {
  return is_contained(
      ArrayRef<StringRef>({"__attribute__", "__attribute", "__declspec",
                           "alignas", "_Alignas", "decltype", "noexcept",
                           "throw", "explicit", "__asm__", "__asm", "asm",
                           "requires", "__typeof__", "__typeof", "typeof"}),
      word);
}

bool isClassKey(StringRef word) {
  return word == "struct" || word == "class" || word == "union" ||
         word == "enum";
}

TokenText::TokenText() {
  for (StringRef word : split(KeywordWords, ' '))
    keywords = wordOf(word) + 1;
}

/// A word that differs from that of an identifier with the same spelling.
Word TokenText::wordOfSuffix(StringRef suffix) {
  return wordOf(("\"\"" + suffix).str());
}

/// The suffix of a literal, which can be user-defined: 3_km, "text"sv.
Word TokenText::suffixOf(StringRef literal) {
  const size_t quote = literal.find_last_of("\"'");
  const StringRef tail =
      quote == StringRef::npos
          ? literal.drop_until([](char c) { return isAlpha(c) || c == '_'; })
          : literal.drop_front(quote + 1);
  return tail.empty() ? NoWord : wordOfSuffix(tail);
}

void TokenText::add(tok::TokenKind kind, StringRef spelling) {
  Word word = NoWord;
  if (kind == tok::raw_identifier) {
    const size_t at = tokens.size();
    const bool isSuffix = // operator"" _km
        at > 1 && is(at - 1, tok::string_literal) && is(at - 2, "operator");
    word = isSuffix ? wordOfSuffix(spelling) : wordOf(spelling);
  } else if (tok::isLiteral(kind)) {
    word = suffixOf(spelling);
  }
  tokens.push_back({spelling, kind, word});
}

TokenText::TokenText(StringRef text) : TokenText() {
  this->text = text;
  const clang::LangOptions language = lexerLanguage();
  clang::Lexer lexer(clang::SourceLocation(), language, text.begin(),
                     text.begin(), text.end());
  tokens.reserve(text.size() / 5);
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof);
       lexer.LexFromRawLexer(token)) {
    unsigned end = lexer.getCurrentBufferOffset();
    const unsigned begin = end - token.getLength();
    tok::TokenKind kind = token.getKind();
    if (token.is(tok::hash) && token.isAtStartOfLine()) {
      // A directive is one token: a preprocessed text has no spliced lines.
      kind = tok::eod;
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
      lexer.seek(end, /*IsAtStartOfLine=*/true);
    }
    add(kind, text.slice(begin, end));
  }
}

unsigned TokenText::closeOf(unsigned open) const {
  unsigned depth = 0;
  for (unsigned at = open; at < tokens.size(); ++at)
    switch (tokens[at].kind) {
    case tok::l_paren:
    case tok::l_square:
    case tok::l_brace:
      ++depth;
      break;
    case tok::r_paren:
    case tok::r_square:
    case tok::r_brace:
      if (--depth == 0)
        return at;
      break;
    default:
      break;
    }
  return tokens.size() - 1;
}

std::optional<unsigned> TokenText::closeOfAngle(unsigned open,
                                                unsigned last) const {
  int depth = 0;
  for (unsigned at = open; at < last; ++at)
    switch (tokens[at].kind) {
    case tok::less:
      ++depth;
      break;
    case tok::greater:
      if (--depth == 0)
        return at;
      break;
    case tok::greatergreater:
      if ((depth -= 2) <= 0)
        return at;
      break;
    case tok::l_paren:
    case tok::l_square:
    case tok::l_brace:
      at = closeOf(at);
      break;
    case tok::semi:
    case tok::r_brace:
      return std::nullopt;
    default:
      break;
    }
  return std::nullopt;
}

unsigned TokenText::afterDirectives(unsigned at) const {
  while (is(at, tok::eod))
    ++at;
  return at;
}

unsigned TokenText::afterOperatorSymbol(unsigned at) const {
  ++at;
  if (is(at, tok::l_paren))
    at += 2;
  while (at < tokens.size() && !is(at, tok::l_paren) && !is(at, tok::semi))
    ++at;
  return at;
}

unsigned TokenText::afterInitialiser(unsigned at, unsigned last) const {
  while (at < last && !is(at, tok::comma) && !is(at, tok::semi)) {
    if (is(at, tok::l_paren) || is(at, tok::l_brace) || is(at, tok::l_square))
      at = closeOf(at);
    else if (is(at, tok::less))
      at = closeOfAngle(at, last).value_or(at);
    ++at;
  }
  return at;
}

} // namespace warplint
