#include "input/source_statements.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {

namespace {

constexpr size_t longestText = 60; ///< bytes that are shown of a statement
constexpr unsigned deepestNesting = 200;

bool isAssignment(tok::TokenKind kind) {
  return is_contained({tok::equal, tok::plusequal, tok::minusequal,
                       tok::starequal, tok::slashequal, tok::percentequal,
                       tok::ampequal, tok::pipeequal, tok::caretequal,
                       tok::lesslessequal, tok::greatergreaterequal},
                      kind);
}

bool isOpen(tok::TokenKind kind) {
  return kind == tok::l_paren || kind == tok::l_square || kind == tok::l_brace;
}
bool isClose(tok::TokenKind kind) {
  return kind == tok::r_paren || kind == tok::r_square || kind == tok::r_brace;
}

/// Words that no declared name follows or is.
bool isKeyword(StringRef word) {
  static const StringRef words[] = {
      "return", "else",    "case",     "goto",    "new",      "delete",
      "throw",  "sizeof",  "do",       "if",      "while",    "for",
      "switch", "break",   "continue", "default", "typename", "template",
      "using",  "typedef", "operator", "public",  "private",  "protected"};
  return is_contained(words, word);
}

} // namespace

/// Splits a text into tokens and statements.
class StatementReader {
public:
  StatementReader(SourceStatements &into) : into_(into) {
    lex();
    block(0);
    stable_sort(into_.statements_, [](const auto &a, const auto &b) {
      return std::pair(a.begin, b.end) < std::pair(b.begin, a.end);
    });
  }

private:
  struct Token {
    size_t begin, end;
    tok::TokenKind kind;
  };

  void lex() {
    clang::LangOptions language;
    language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 =
        language.CPlusPlus17 = language.CPlusPlus20 = true;
    language.LineComment = true;
    const char *start = into_.text_.c_str();
    clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), language,
                       start, start, start + into_.text_.size());
    clang::Token token;
    bool isDirective = false;
    for (bool more = true; more;) {
      lexer.LexFromRawLexer(token);
      if (token.is(tok::eof))
        break;
      if (token.isAtStartOfLine())
        isDirective = token.is(tok::hash);
      const size_t begin =
          lexer.getBufferLocation() - start - token.getLength();
      if (!isDirective)
        tokens_.push_back({begin, begin + token.getLength(), token.getKind()});
    }
  }

  bool is(size_t at, tok::TokenKind kind) const {
    return at < tokens_.size() && tokens_[at].kind == kind;
  }
  StringRef spelling(size_t at) const {
    return at < tokens_.size() ? StringRef(into_.text_)
                                     .slice(tokens_[at].begin, tokens_[at].end)
                               : "";
  }
  bool isWord(size_t at) const { return is(at, tok::raw_identifier); }
  bool isName(size_t at) const {
    return isWord(at) && !isKeyword(spelling(at));
  }

  size_t closeOf(size_t open) const {
    unsigned depth = 0;
    for (size_t at = open; at < tokens_.size(); ++at) {
      if (isOpen(tokens_[at].kind))
        ++depth;
      else if (isClose(tokens_[at].kind) && --depth == 0)
        return at;
    }
    return tokens_.size();
  }

  /// The bracket that opens what closes at `close`.
  size_t openOf(size_t close, size_t first) const {
    unsigned depth = 0;
    for (size_t at = close + 1; at-- > first;) {
      if (isClose(tokens_[at].kind))
        ++depth;
      else if (isOpen(tokens_[at].kind) && --depth == 0)
        return at;
    }
    return first;
  }

  /// Reads statements up to the '}' of this block, and returns what is behind.
  size_t block(size_t at) {
    ++nesting_;
    while (at < tokens_.size() && !is(at, tok::r_brace))
      at = statement(at);
    --nesting_;
    return at + 1;
  }

  /// True if the brace begins a body; else a list of initial values.
  bool beginsBlock(size_t at, size_t first) const {
    if (at == first)
      return true;
    const StringRef head = spelling(first);
    if (is_contained({"struct", "class", "union", "namespace", "extern", "enum",
                      "template", "inline"},
                     head))
      return true;
    if (is(at - 1, tok::r_paren) ||
        is_contained({"else", "do", "try", "const", "noexcept", "override",
                      "final", "mutable"},
                     spelling(at - 1)))
      return true;
    // The type that a lambda returns stands before its body.
    for (size_t back = at; back-- > first && at - back < 12;) {
      if (is(back, tok::arrow) && back > first && is(back - 1, tok::r_paren))
        return true;
      if (is(back, tok::equal) || is(back, tok::comma) || is(back, tok::semi))
        break;
    }
    if (!is(at - 1, tok::r_square))
      return false;
    // "[&] {": a lambda without parameters; "int a[2] {": values.
    const size_t open = openOf(at - 1, first);
    return open == first || !(isName(open - 1) || is(open - 1, tok::r_square));
  }

  size_t statement(size_t at) {
    if (nesting_ > deepestNesting)
      return tokens_.size();
    if (is(at, tok::semi))
      return at + 1;
    if (is(at, tok::l_brace))
      return block(at + 1);
    const StringRef word = spelling(at);
    if (word == "else" || word == "do" || word == "try")
      return at + 1;
    if (word == "case" || word == "default" || word == "public" ||
        word == "private" || word == "protected") {
      while (at < tokens_.size() && !is(at, tok::colon) && !is(at, tok::semi) &&
             !is(at, tok::r_brace))
        ++at;
      return is(at, tok::r_brace) ? at : at + 1;
    }
    if (is_contained({"if", "while", "for", "switch", "catch"}, word))
      return header(at);
    // A macro on a line of its own: "CUB_NAMESPACE_BEGIN namespace detail {".
    if (isName(at) && is_contained({"namespace", "template", "struct", "class",
                                    "union", "enum", "using", "typedef"},
                                   spelling(at + 1)))
      return at + 1;
    return simple(at);
  }

  /// `if (...)`, `for (...)`; the statement behind is one of its own.
  size_t header(size_t at) {
    size_t open = at + 1;
    while (open < tokens_.size() && open < at + 3 && !is(open, tok::l_paren))
      ++open; // if constexpr
    if (!is(open, tok::l_paren))
      return at + 1;
    const size_t close = closeOf(open);
    const bool isFor = spelling(at) == "for";
    const bool isLoop = isFor || spelling(at) == "while";
    std::vector<size_t> semicolons;
    unsigned depth = 0;
    for (size_t i = open + 1; i < close; ++i) {
      if (isOpen(tokens_[i].kind))
        ++depth;
      else if (isClose(tokens_[i].kind))
        --depth;
      else if (!depth && is(i, tok::semi))
        semicolons.push_back(i);
    }
    SourceStatement statement = between(at, close + 1);
    statement.kind = isLoop ? SourceStatement::Loop : SourceStatement::Other;
    std::vector<std::string> names;
    if (isFor && semicolons.size() == 2) {
      addAssigned(open + 1, semicolons[0], names);
      addAssigned(semicolons[1] + 1, close, names);
    } else {
      addAssigned(open + 1, close, names);
      if (!isLoop && !names.empty())
        statement.kind = SourceStatement::Assignment;
    }
    noteArrays(open + 1, close);
    statement.names = std::move(names);
    const size_t index = into_.statements_.size();
    into_.statements_.push_back(std::move(statement));
    if (!isLoop && spelling(at) != "if")
      return close + 1;
    ++nesting_;
    const size_t next = this->statement(close + 1);
    --nesting_;
    if (next > 0 && next <= tokens_.size())
      into_.statements_[index].bodyEnd = tokens_[next - 1].end;
    return next;
  }

  SourceStatement between(size_t first, size_t last) const {
    SourceStatement statement;
    statement.begin = tokens_[first].begin;
    statement.end =
        last < tokens_.size() ? tokens_[last].begin : into_.text_.size();
    statement.line = into_.lineOf(statement.begin);
    StringRef text =
        StringRef(into_.text_)
            .slice(statement.begin,
                   last > first ? tokens_[last - 1].end : statement.end);
    SmallVector<StringRef> words;
    SplitString(text, words, " \t\r\n");
    statement.text = join(words, " ");
    if (statement.text.size() > longestText)
      statement.text = statement.text.substr(0, longestText - 3) + "...";
    return statement;
  }

  /// A statement up to its ';', or a declaration with a body.
  size_t simple(size_t first) {
    std::vector<size_t> commas;
    size_t at = first, end = first;
    unsigned depth = 0;
    for (; at < tokens_.size(); ++at) {
      const tok::TokenKind kind = tokens_[at].kind;
      if (kind == tok::l_brace && beginsBlock(at, first)) {
        if (!depth && isMacroHead(first, at))
          return macroLoop(first, at);
        noteFunction(first, at);
        const bool wasInFunction = inFunction_;
        inFunction_ = beginsFunction(at, first);
        at = block(at + 1) - 1;
        inFunction_ = wasInFunction;
        // A lambda's body is followed by the rest of its statement.
        if (!depth && !is(at + 1, tok::semi) && !is(at + 1, tok::comma) &&
            !is(at + 1, tok::r_paren) && !is(at + 1, tok::l_paren))
          return at + 1; // of a function or a class

      } else if (kind == tok::l_brace) {
        at = closeOf(at);
      } else if (isOpen(kind)) {
        ++depth;
      } else if (isClose(kind)) {
        if (kind == tok::r_brace) {
          end = at;
          break;
        }
        if (depth)
          --depth;
      } else if (!depth && kind == tok::semi) {
        end = at++;
        break;
      } else if (!depth && kind == tok::comma && beginsDeclarator(at + 1)) {
        commas.push_back(at);
      }
    }
    if (end == first)
      end = std::min(at, tokens_.size());
    addParts(first, end, commas);
    return std::max(at, first + 1);
  }

  /// True if the brace, which begins a body, is that of a function or a lambda.
  bool beginsFunction(size_t at, size_t first) const {
    if (is_contained({"struct", "class", "union", "namespace", "enum"},
                     spelling(first)))
      return false;
    return is(at - 1, tok::r_paren) || is(at - 1, tok::r_square) ||
           is_contained({"const", "noexcept", "override", "final", "mutable"},
                        spelling(at - 1)) ||
           any_of(ArrayRef(tokens_).slice(first, at - first),
                  [](const Token &token) { return token.kind == tok::arrow; });
  }

  /// `KERNEL_LOOP(i, n) {` within a function, which contains no functions.
  bool isMacroHead(size_t first, size_t brace) const {
    return inFunction_ && isName(first) && is(first + 1, tok::l_paren) &&
           closeOf(first + 1) + 1 == brace;
  }

  /// A macro in the place of `for (...)`, whose first argument it counts.
  size_t macroLoop(size_t first, size_t brace) {
    SourceStatement statement = between(first, brace);
    statement.kind = SourceStatement::Loop;
    if (isName(first + 2) &&
        (is(first + 3, tok::comma) || is(first + 3, tok::r_paren)))
      statement.names.push_back(spelling(first + 2).str());
    const size_t index = into_.statements_.size();
    into_.statements_.push_back(std::move(statement));
    const size_t next = block(brace + 1);
    if (next > 0 && next <= tokens_.size())
      into_.statements_[index].bodyEnd = tokens_[next - 1].end;
    return next;
  }

  /// `*p =`, `x[8],`: another variable of a declaration, or another assignment.
  bool beginsDeclarator(size_t at) const {
    while (is(at, tok::star) || is(at, tok::amp))
      ++at;
    return isName(at) &&
           (isAssignment(tokens_[std::min(at + 1, tokens_.size() - 1)].kind) ||
            is(at + 1, tok::l_square) || is(at + 1, tok::comma) ||
            is(at + 1, tok::semi) || is(at + 1, tok::l_paren) ||
            is(at + 1, tok::l_brace) || is(at + 1, tok::period) ||
            is(at + 1, tok::arrow));
  }

  void addParts(size_t first, size_t end, ArrayRef<size_t> commas) {
    if (first >= end)
      return;
    noteArrays(first, end);
    size_t begin = first;
    std::string type;
    for (size_t i = 0; i <= commas.size(); ++i) {
      const size_t last = i < commas.size() ? commas[i] : end;
      if (begin >= last)
        continue;
      SourceStatement statement = between(begin, last);
      addAssigned(begin, last, statement.names);
      if (i == 0)
        type = typeOf(begin, last);
      statement.type = type;
      if (spelling(first) == "return")
        statement.kind = SourceStatement::Return;
      else if (!statement.names.empty())
        statement.kind = SourceStatement::Assignment;
      into_.statements_.push_back(std::move(statement));
      begin = last + 1;
    }
  }

  /// The path that ends before `end`: "p.v" of `*p.v[i]`; empty if there is
  /// none.
  std::string pathBefore(size_t end, size_t first) const {
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

  void addAssigned(size_t first, size_t last,
                   std::vector<std::string> &names) const {
    auto add = [&](std::string name) {
      if (!name.empty() && !is_contained(names, name))
        names.push_back(std::move(name));
    };
    unsigned depth = 0;
    bool isAssigned = false;
    for (size_t at = first; at < last && at < tokens_.size(); ++at) {
      const tok::TokenKind kind = tokens_[at].kind;
      if (isOpen(kind)) {
        // The bracket behind a name in a declaration: `float4 v(1, 2)`.
        if (!depth && !isAssigned && kind != tok::l_square && at > first + 1 &&
            isName(at - 1) && endsType(at - 2))
          add(spelling(at - 1).str());
        ++depth;
      } else if (isClose(kind)) {
        depth -= depth != 0;
      } else if (!depth && isAssignment(kind)) {
        add(pathBefore(at, first));
        isAssigned = true;
      } else if (kind == tok::plusplus || kind == tok::minusminus) {
        add(at > first && (isName(at - 1) || is(at - 1, tok::r_square))
                ? pathBefore(at, first)
                : pathAfter(at + 1, last));
      }
    }
  }

  std::string pathAfter(size_t at, size_t last) const {
    while (at < last && is(at, tok::star))
      ++at;
    size_t end = at;
    while (end < last && (isName(end) || is(end, tok::period) ||
                          is(end, tok::arrow) || is(end, tok::coloncolon)))
      ++end;
    return end > at ? pathBefore(end, at) : "";
  }

  bool endsType(size_t at) const {
    return isName(at) || is(at, tok::greater) || is(at, tok::star) ||
           is(at, tok::amp);
  }

  /// The words before the name that a statement declares; empty if it declares
  /// none.
  std::string typeOf(size_t first, size_t last) const {
    std::string type;
    unsigned words = 0;
    for (size_t at = first; at < last; ++at) {
      const bool isLast = at + 1 == last ||
                          isAssignment(tokens_[at + 1].kind) ||
                          is(at + 1, tok::l_square) ||
                          is(at + 1, tok::l_paren) || is(at + 1, tok::l_brace);
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

  /// Declarations of arrays: `float sum[8][8]`.
  void noteArrays(size_t first, size_t last) {
    for (size_t at = first + 1; at + 1 < last; ++at) {
      if (!isName(at) || !is(at + 1, tok::l_square) ||
          !(endsType(at - 1) || is(at - 1, tok::comma)))
        continue;
      // `a > b[i]` is no template.
      if (is(at - 1, tok::greater) &&
          none_of(seq(first, at), [&](size_t i) { return is(i, tok::less); }))
        continue;
      const size_t begin = at + 1;
      size_t end = begin;
      while (is(end, tok::l_square))
        end = closeOf(end) + 1;
      if (end > tokens_.size() || end == begin || end > last)
        continue;
      into_.extents_[spelling(at).str()].push_back(
          {into_.lineOf(tokens_[at].begin),
           StringRef(into_.text_)
               .slice(tokens_[begin].begin, tokens_[end - 1].end)
               .str(),
           typeOf(first, last)});
    }
  }

  /// The parameters of a function whose body begins at `body`.
  void noteFunction(size_t first, size_t body) {
    for (size_t at = first + 1; at < body; ++at) {
      if (!is(at, tok::l_paren) || !isWord(at - 1) ||
          spelling(at - 1).starts_with("__") ||
          is_contained({"alignas", "noexcept", "decltype", "requires"},
                       spelling(at - 1)))
        continue;
      const size_t close = closeOf(at);
      if (close >= body)
        return;
      SourceStatements::Parameters function{into_.lineOf(tokens_[at - 1].begin),
                                            {}};
      size_t begin = at + 1;
      unsigned depth = 0, angles = 0;
      for (size_t i = begin; i <= close; ++i) {
        if (is(i, tok::less))
          ++angles;
        else if (is(i, tok::greater))
          angles -= angles != 0;
        else if (is(i, tok::greatergreater))
          angles = angles > 2 ? angles - 2 : 0;
        if ((i == close || (is(i, tok::comma) && !angles)) && !depth) {
          if (i > begin)
            function.names.push_back(parameterName(begin, i));
          begin = i + 1;
        } else if (isOpen(tokens_[i].kind)) {
          ++depth;
        } else if (isClose(tokens_[i].kind)) {
          depth -= depth != 0;
        }
      }
      into_.functions_.push_back(std::move(function));
      return;
    }
  }

  std::string parameterName(size_t begin, size_t end) const {
    for (size_t at = begin; at < end; ++at)
      if (is(at, tok::equal))
        end = at;
    while (end > begin && is(end - 1, tok::r_square))
      end = openOf(end - 1, begin);
    if (end > begin + 1 && isName(end - 1))
      return spelling(end - 1).str();
    return "";
  }

  SourceStatements &into_;
  std::vector<Token> tokens_;
  unsigned nesting_ = 0;
  bool inFunction_ = false;
};

SourceStatements::SourceStatements(StringRef text) : text_(text) {
  lines_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n')
      lines_.push_back(i + 1);
  StatementReader reader(*this);
}

unsigned SourceStatements::lineOf(size_t byte) const {
  return upper_bound(lines_, byte) - lines_.begin();
}

const SourceStatement *SourceStatements::at(unsigned line,
                                            unsigned column) const {
  if (!line || line > lines_.size())
    return nullptr;
  const size_t begin = lines_[line - 1];
  const size_t end = line < lines_.size() ? lines_[line] : text_.size() + 1;
  const size_t byte = std::min(begin + (column ? column - 1 : 0), end);
  const SourceStatement *found = nullptr, *onLine = nullptr;
  for (const SourceStatement &statement : statements_) {
    if (statement.begin >= end)
      break;
    if (statement.begin <= byte && byte < statement.end &&
        (!found ||
         statement.end - statement.begin <= found->end - found->begin))
      found = &statement;
    // A column before the first statement of the line.
    if (!onLine && statement.begin >= begin)
      onLine = &statement;
  }
  const bool isWide = found && found->begin < begin && onLine && column <= 1;
  return found && !isWide ? found : onLine;
}

std::vector<std::string>
SourceStatements::assignedUnder(const SourceStatement &head) const {
  std::vector<std::string> names;
  for (const SourceStatement &statement : statements_)
    if (statement.kind == SourceStatement::Assignment &&
        statement.begin >= head.end && statement.begin < head.bodyEnd)
      for (const std::string &name : statement.names)
        if (!is_contained(names, name))
          names.push_back(name);
  return names;
}

const SourceStatement *SourceStatements::loopAround(unsigned line,
                                                    unsigned column) const {
  if (!line || line > lines_.size())
    return nullptr;
  const size_t byte = lines_[line - 1] + (column ? column - 1 : 0);
  const SourceStatement *found = nullptr;
  for (const SourceStatement &statement : statements_) {
    if (statement.begin > byte)
      break;
    if (statement.kind == SourceStatement::Loop && statement.bodyEnd > byte)
      found = &statement;
  }
  return found;
}

std::string SourceStatements::typeOf(StringRef name, unsigned line) const {
  std::string type;
  unsigned nearest = 0;
  const auto note = [&](unsigned at, const std::string &found) {
    if (at > line || at < nearest || found.empty())
      return;
    nearest = at;
    type = found;
  };
  if (auto found = extents_.find(name); found != extents_.end())
    for (const Extents &array : found->second)
      note(array.line, array.type);
  for (const SourceStatement &statement : statements_)
    if (is_contained(statement.names, name))
      note(statement.line, statement.type);
  return type;
}

bool SourceStatements::countsElements(const SourceStatement &loop,
                                      StringRef array) const {
  const auto isPart = [](char c) { return isAlnum(c) || c == '_'; };
  const auto wordAt = [&](StringRef text) { return text.take_while(isPart); };
  StringRef rest = StringRef(text_).slice(loop.end, loop.bodyEnd);
  while (!rest.empty()) {
    const StringRef word = wordAt(rest);
    rest = rest.drop_front(std::max<size_t>(1, word.size()));
    if (word != array)
      continue;
    unsigned depth = 0;
    for (StringRef subscript = rest.ltrim(); !subscript.empty();) {
      const StringRef inside = wordAt(subscript);
      const char c = subscript.front();
      if (!depth && c != '[' && !isSpace(c))
        break;
      if (is_contained(loop.names, inside))
        return true;
      depth += c == '[';
      depth -= c == ']';
      subscript = subscript.drop_front(std::max<size_t>(1, inside.size()));
    }
  }
  return false;
}

std::string SourceStatements::extentsOf(StringRef name, unsigned line) const {
  auto found = extents_.find(name);
  if (found == extents_.end())
    return "";
  std::string text;
  unsigned nearest = 0;
  for (const Extents &extents : found->second)
    if (extents.line <= line && extents.line >= nearest) {
      nearest = extents.line;
      text = extents.text;
    }
  return text;
}

std::vector<std::string> SourceStatements::parametersAt(unsigned line) const {
  const Parameters *found = nullptr;
  // A `.loc` may name the line of an attribute or of the return type.
  constexpr unsigned longestHead = 6;
  for (const Parameters &function : functions_)
    if (function.line >= line && function.line <= line + longestHead &&
        (!found || function.line < found->line))
      found = &function;
  return found ? found->names : std::vector<std::string>();
}

} // namespace warplint
