#include "input/statement_tokens.h"
#include "input/lexer_language.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {

namespace {

bool isKeyword(StringRef word) {
  static const StringRef words[] = {
      "return", "else",    "case",     "goto",    "new",      "delete",
      "throw",  "sizeof",  "do",       "if",      "while",    "for",
      "switch", "break",   "continue", "default", "typename", "template",
      "using",  "typedef", "operator", "public",  "private",  "protected"};
  return is_contained(words, word);
}

} // namespace

StatementTokens::StatementTokens(StringRef text) : text_(text) {
  const clang::LangOptions language = lexerLanguage();
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), language,
                     text.begin(), text.begin(), text.end());
  clang::Token token;
  bool isDirective = false;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof);
       lexer.LexFromRawLexer(token)) {
    if (token.isAtStartOfLine())
      isDirective = token.is(tok::hash);
    const size_t end = lexer.getBufferLocation() - text.begin();
    if (!isDirective)
      tokens_.push_back({end - token.getLength(), end, token.getKind()});
  }
}

StringRef StatementTokens::spelling(size_t at) const {
  return at < tokens_.size() ? text_.slice(tokens_[at].begin, tokens_[at].end)
                             : "";
}

bool StatementTokens::isName(size_t at) const {
  return isWord(at) && !isKeyword(spelling(at));
}

bool StatementTokens::isOpen(size_t at) const {
  return is(at, tok::l_paren) || is(at, tok::l_square) || is(at, tok::l_brace);
}

bool StatementTokens::isClose(size_t at) const {
  return is(at, tok::r_paren) || is(at, tok::r_square) || is(at, tok::r_brace);
}

bool StatementTokens::isAssignment(size_t at) const {
  return at < tokens_.size() &&
         is_contained({tok::equal, tok::plusequal, tok::minusequal,
                       tok::starequal, tok::slashequal, tok::percentequal,
                       tok::ampequal, tok::pipeequal, tok::caretequal,
                       tok::lesslessequal, tok::greatergreaterequal},
                      tokens_[at].kind);
}

size_t StatementTokens::closeOf(size_t open) const {
  unsigned depth = 0;
  for (size_t at = open; at < tokens_.size(); ++at) {
    if (isOpen(at))
      ++depth;
    else if (isClose(at) && --depth == 0)
      return at;
  }
  return tokens_.size();
}

size_t StatementTokens::openOf(size_t close, size_t first) const {
  unsigned depth = 0;
  for (size_t at = close + 1; at-- > first;) {
    if (isClose(at))
      ++depth;
    else if (isOpen(at) && --depth == 0)
      return at;
  }
  return first;
}

std::string StatementTokens::pathBefore(size_t end, size_t first) const {
  std::string path;
  size_t at = end;
  while (at > first) {
    --at;
    if (is(at, tok::r_square) || is(at, tok::r_paren)) {
      at = openOf(at, first);
      if (is(at, tok::l_paren) && (at == first || !isName(at - 1))) {
        // (*p) = x, (a)[i] = x
        const size_t close = closeOf(at);
        return pathBefore(std::min(close, end), at + 1) + path;
      }
      continue;
    }
    if (!isWord(at) || isKeyword(spelling(at)))
      break;
    path = spelling(at).str() + path;
    if (at == first)
      break;
    if (!is(at - 1, tok::period) && !is(at - 1, tok::arrow) &&
        !is(at - 1, tok::coloncolon))
      break;
    --at;
    path = spelling(at).str() + path;
  }
  StringRef(path).consume_front("this->");
  return StringRef(path).starts_with("this->") ? path.substr(6) : path;
}

std::string StatementTokens::pathAfter(size_t at, size_t last) const {
  while (at < last && is(at, tok::star))
    ++at;
  size_t end = at;
  while (end < last && (isName(end) || is(end, tok::period) ||
                        is(end, tok::arrow) || is(end, tok::coloncolon)))
    ++end;
  return end > at ? pathBefore(end, at) : "";
}

void StatementTokens::addAssigned(size_t first, size_t last,
                                  std::vector<std::string> &names) const {
  auto add = [&](std::string name) {
    if (!name.empty() && !is_contained(names, name))
      names.push_back(std::move(name));
  };
  unsigned depth = 0;
  bool isAssigned = false;
  for (size_t at = first; at < last && at < tokens_.size(); ++at) {
    if (isOpen(at)) {
      // The bracket behind a name in a declaration: `float4 v(1, 2)`.
      if (!depth && !isAssigned && !is(at, tok::l_square) && at > first + 1 &&
          isName(at - 1) && endsType(at - 2))
        add(spelling(at - 1).str());
      ++depth;
    } else if (isClose(at)) {
      depth -= depth != 0;
    } else if (!depth && isAssignment(at)) {
      add(pathBefore(at, first));
      isAssigned = true;
    } else if (is(at, tok::plusplus) || is(at, tok::minusminus)) {
      add(at > first && (isName(at - 1) || is(at - 1, tok::r_square))
              ? pathBefore(at, first)
              : pathAfter(at + 1, last));
    }
  }
}

bool StatementTokens::endsType(size_t at) const {
  return isName(at) || is(at, tok::greater) || is(at, tok::star) ||
         is(at, tok::amp);
}

std::string StatementTokens::typeOf(size_t first, size_t last) const {
  std::string type;
  unsigned words = 0;
  for (size_t at = first; at < last; ++at) {
    const bool isLast = at + 1 == last || isAssignment(at + 1) ||
                        is(at + 1, tok::l_square) || is(at + 1, tok::l_paren) ||
                        is(at + 1, tok::l_brace);
    if (!isName(at) && !is(at, tok::star) && !is(at, tok::amp) &&
        !is(at, tok::coloncolon) && !is(at, tok::less) &&
        !is(at, tok::greater) && !is(at, tok::comma))
      return "";
    if (isName(at) && isLast)
      return words ? type : "";
    words += isName(at);
    type += (type.empty() ? "" : " ") + spelling(at).str();
  }
  return "";
}

std::string StatementTokens::parameterName(size_t begin, size_t end) const {
  for (size_t at = begin; at < end; ++at)
    if (is(at, tok::equal))
      end = at;
  while (end > begin && is(end - 1, tok::r_square))
    end = openOf(end - 1, begin);
  if (end > begin + 1 && isName(end - 1))
    return spelling(end - 1).str();
  return "";
}

} // namespace warplint
