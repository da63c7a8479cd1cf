#include "fixes/source_tokens.h"
#include "input/lexer_language.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {

SourceTokens::SourceTokens(std::string file, StringRef text)
    : file_(std::move(file)), text_(text) {
  lines_.push_back(0);
  for (unsigned i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lines_.push_back(i + 1);
  lex();
  match();
}

/// The end of the directive at `begin`: its newline that no backslash splices.
static unsigned endOfDirective(StringRef text, unsigned begin) {
  for (size_t newline = text.find('\n', begin); newline != StringRef::npos;
       newline = text.find('\n', newline + 1)) {
    const StringRef before = text.slice(begin, newline).rtrim('\r');
    if (!before.ends_with("\\"))
      return begin + before.size();
  }
  return text.size();
}

void SourceTokens::lex() {
  const clang::LangOptions language = lexerLanguage();
  clang::Lexer lexer(clang::SourceLocation(), language, text_.begin(),
                     text_.begin(), text_.end());
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof);
       lexer.LexFromRawLexer(token)) {
    unsigned end = lexer.getCurrentBufferOffset();
    const unsigned begin = end - token.getLength();
    tok::TokenKind kind = token.getKind();
    if (kind == tok::hash && token.isAtStartOfLine()) {
      kind = tok::eod;
      end = endOfDirective(text_, begin);
      lexer.seek(end, /*IsAtStartOfLine=*/false);
    }
    tokens_.push_back({begin, end, kind});
  }
}

void SourceTokens::match() {
  partners_.resize(tokens_.size());
  std::vector<unsigned> open;
  auto opens = [](tok::TokenKind kind) {
    return kind == tok::l_paren || kind == tok::l_square ||
           kind == tok::l_brace;
  };
  auto closer = [](tok::TokenKind kind) {
    return kind == tok::l_paren    ? tok::r_paren
           : kind == tok::l_square ? tok::r_square
                                   : tok::r_brace;
  };
  for (unsigned i = 0; i < tokens_.size(); ++i) {
    partners_[i] = i;
    const tok::TokenKind kind = tokens_[i].kind;
    if (opens(kind))
      open.push_back(i);
    else if ((kind == tok::r_paren || kind == tok::r_square ||
              kind == tok::r_brace) &&
             !open.empty() && closer(tokens_[open.back()].kind) == kind) {
      partners_[i] = open.back();
      partners_[open.back()] = i;
      open.pop_back();
    }
  }
}

std::optional<unsigned> SourceTokens::offset(const Place &place) const {
  if (!place.line || place.line > lines_.size() || !place.column)
    return std::nullopt;
  const unsigned offset = lines_[place.line - 1] + place.column - 1;
  return offset <= text_.size() ? std::optional(offset) : std::nullopt;
}

std::optional<unsigned> SourceTokens::at(const Place &place) const {
  const std::optional<unsigned> byte = offset(place);
  if (!byte)
    return std::nullopt;
  auto found = partition_point(
      tokens_, [&](const SourceToken &token) { return token.begin < *byte; });
  if (found == tokens_.end() || found->begin != *byte ||
      found->kind == tok::eod)
    return std::nullopt;
  return found - tokens_.begin();
}

std::optional<unsigned> SourceTokens::closeOf(unsigned at) const {
  return at < size() && partners_[at] > at ? std::optional(partners_[at])
                                           : std::nullopt;
}

std::optional<unsigned> SourceTokens::openOf(unsigned at) const {
  return at < size() && partners_[at] < at ? std::optional(partners_[at])
                                           : std::nullopt;
}

std::vector<unsigned> SourceTokens::bracesAround(unsigned at) const {
  std::vector<unsigned> open;
  for (unsigned i = 0; i < at; ++i)
    if (is(i, "{") && partners_[i] > at)
      open.push_back(i);
  return open;
}

std::optional<unsigned> SourceTokens::functionAround(unsigned at) const {
  for (unsigned open : bracesAround(at))
    if (open && (is(open - 1, ")") || is(open - 1, "const") ||
                 is(open - 1, "noexcept") || is(open - 1, "mutable")))
      return open;
  return std::nullopt;
}

Place SourceTokens::place(unsigned offset) const {
  const unsigned line =
      partition_point(lines_, [&](unsigned begin) { return begin <= offset; }) -
      lines_.begin();
  return {file_, line, offset - lines_[line - 1] + 1};
}

StringRef SourceTokens::indentation(unsigned offset) const {
  const unsigned begin = lines_[place(offset).line - 1];
  return text_.slice(begin, offset).take_while([](char c) {
    return c == ' ' || c == '\t';
  });
}

} // namespace warplint
