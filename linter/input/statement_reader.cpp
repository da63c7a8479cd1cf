#include "input/statement_reader.h"
#include "input/statement_tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {

namespace {

constexpr size_t longestText = 60; ///< bytes that are shown of a statement
constexpr unsigned deepestNesting = 200;

class StatementReader {
public:
  explicit StatementReader(StringRef text) : text_(text), tokens_(text) {
    block(0);
    stable_sort(into_.statements, [](const auto &a, const auto &b) {
      return std::pair(a.begin, b.end) < std::pair(b.begin, a.end);
    });
  }

  StatementsOfText take() { return std::move(into_); }

private:
  /// Reads statements up to the '}' of this block, and returns what is behind.
  size_t block(size_t at) {
    ++nesting_;
    while (at < tokens_.size() && !tokens_.is(at, tok::r_brace))
      at = statement(at);
    --nesting_;
    return at + 1;
  }

  /// True if the brace begins a body; else a list of initial values.
  bool beginsBlock(size_t at, size_t first) const {
    if (at == first)
      return true;
    const StringRef head = tokens_.spelling(first);
    if (is_contained({"struct", "class", "union", "namespace", "extern", "enum",
                      "template", "inline"},
                     head))
      return true;
    if (tokens_.is(at - 1, tok::r_paren) ||
        is_contained({"else", "do", "try", "const", "noexcept", "override",
                      "final", "mutable"},
                     tokens_.spelling(at - 1)))
      return true;
    // The type that a lambda returns stands before its body.
    for (size_t back = at; back-- > first && at - back < 12;) {
      if (tokens_.is(back, tok::arrow) && back > first &&
          tokens_.is(back - 1, tok::r_paren))
        return true;
      if (tokens_.is(back, tok::equal) || tokens_.is(back, tok::comma) ||
          tokens_.is(back, tok::semi))
        break;
    }
    if (!tokens_.is(at - 1, tok::r_square))
      return false;
    // "[&] {": a lambda without parameters; "int a[2] {": values.
    const size_t open = tokens_.openOf(at - 1, first);
    return open == first ||
           !(tokens_.isName(open - 1) || tokens_.is(open - 1, tok::r_square));
  }

  size_t statement(size_t at) {
    if (nesting_ > deepestNesting)
      return tokens_.size();
    if (tokens_.is(at, tok::semi))
      return at + 1;
    if (tokens_.is(at, tok::l_brace))
      return block(at + 1);
    const StringRef word = tokens_.spelling(at);
    if (word == "else" || word == "do" || word == "try")
      return at + 1;
    if (word == "case" || word == "default" || word == "public" ||
        word == "private" || word == "protected") {
      while (at < tokens_.size() && !tokens_.is(at, tok::colon) &&
             !tokens_.is(at, tok::semi) && !tokens_.is(at, tok::r_brace))
        ++at;
      return tokens_.is(at, tok::r_brace) ? at : at + 1;
    }
    if (is_contained({"if", "while", "for", "switch", "catch"}, word))
      return header(at);
    // A macro on a line of its own: "CUB_NAMESPACE_BEGIN namespace detail {".
    if (tokens_.isName(at) &&
        is_contained({"namespace", "template", "struct", "class", "union",
                      "enum", "using", "typedef"},
                     tokens_.spelling(at + 1)))
      return at + 1;
    return simple(at);
  }

  /// `if (...)`, `for (...)`; the statement behind is one of its own.
  size_t header(size_t at) {
    size_t open = at + 1;
    while (open < tokens_.size() && open < at + 3 &&
           !tokens_.is(open, tok::l_paren))
      ++open; // if constexpr
    if (!tokens_.is(open, tok::l_paren))
      return at + 1;
    const size_t close = tokens_.closeOf(open);
    const bool isFor = tokens_.spelling(at) == "for";
    const bool isLoop = isFor || tokens_.spelling(at) == "while";
    std::vector<size_t> semicolons;
    unsigned depth = 0;
    for (size_t i = open + 1; i < close; ++i) {
      if (tokens_.isOpen(i))
        ++depth;
      else if (tokens_.isClose(i))
        --depth;
      else if (!depth && tokens_.is(i, tok::semi))
        semicolons.push_back(i);
    }
    SourceStatement statement = between(at, close + 1);
    statement.kind = isLoop ? SourceStatement::Loop : SourceStatement::Other;
    std::vector<std::string> names;
    if (isFor && semicolons.size() == 2) {
      tokens_.addAssigned(open + 1, semicolons[0], names);
      tokens_.addAssigned(semicolons[1] + 1, close, names);
    } else {
      tokens_.addAssigned(open + 1, close, names);
      if (!isLoop && !names.empty())
        statement.kind = SourceStatement::Assignment;
    }
    noteArrays(open + 1, close);
    statement.names = std::move(names);
    const size_t index = into_.statements.size();
    into_.statements.push_back(std::move(statement));
    if (!isLoop && tokens_.spelling(at) != "if")
      return close + 1;
    ++nesting_;
    const size_t next = this->statement(close + 1);
    --nesting_;
    if (next > 0 && next <= tokens_.size())
      into_.statements[index].bodyEnd = tokens_[next - 1].end;
    return next;
  }

  SourceStatement between(size_t first, size_t last) const {
    SourceStatement statement;
    statement.begin = tokens_[first].begin;
    statement.end = last < tokens_.size() ? tokens_[last].begin : text_.size();
    StringRef text = text_.slice(
        statement.begin, last > first ? tokens_[last - 1].end : statement.end);
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
      if (tokens_.is(at, tok::l_brace) && beginsBlock(at, first)) {
        if (!depth && isMacroHead(first, at))
          return macroLoop(first, at);
        noteFunction(first, at);
        const bool wasInFunction = inFunction_;
        inFunction_ = beginsFunction(at, first);
        at = block(at + 1) - 1;
        inFunction_ = wasInFunction;
        // A lambda's body is followed by the rest of its statement.
        if (!depth && !tokens_.is(at + 1, tok::semi) &&
            !tokens_.is(at + 1, tok::comma) &&
            !tokens_.is(at + 1, tok::r_paren) &&
            !tokens_.is(at + 1, tok::l_paren))
          return at + 1; // of a function or a class

      } else if (tokens_.is(at, tok::l_brace)) {
        at = tokens_.closeOf(at);
      } else if (tokens_.isOpen(at)) {
        ++depth;
      } else if (tokens_.isClose(at)) {
        if (tokens_.is(at, tok::r_brace)) {
          end = at;
          break;
        }
        if (depth)
          --depth;
      } else if (!depth && tokens_.is(at, tok::semi)) {
        end = at++;
        break;
      } else if (!depth && tokens_.is(at, tok::comma) &&
                 beginsDeclarator(at + 1)) {
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
                     tokens_.spelling(first)))
      return false;
    return tokens_.is(at - 1, tok::r_paren) ||
           tokens_.is(at - 1, tok::r_square) ||
           is_contained({"const", "noexcept", "override", "final", "mutable"},
                        tokens_.spelling(at - 1)) ||
           any_of(seq(first, at),
                  [&](size_t i) { return tokens_.is(i, tok::arrow); });
  }

  /// `KERNEL_LOOP(i, n) {` within a function, which contains no functions.
  bool isMacroHead(size_t first, size_t brace) const {
    return inFunction_ && tokens_.isName(first) &&
           tokens_.is(first + 1, tok::l_paren) &&
           tokens_.closeOf(first + 1) + 1 == brace;
  }

  /// A macro in the place of `for (...)`, whose first argument it counts.
  size_t macroLoop(size_t first, size_t brace) {
    SourceStatement statement = between(first, brace);
    statement.kind = SourceStatement::Loop;
    if (tokens_.isName(first + 2) && (tokens_.is(first + 3, tok::comma) ||
                                      tokens_.is(first + 3, tok::r_paren)))
      statement.names.push_back(tokens_.spelling(first + 2).str());
    const size_t index = into_.statements.size();
    into_.statements.push_back(std::move(statement));
    const size_t next = block(brace + 1);
    if (next > 0 && next <= tokens_.size())
      into_.statements[index].bodyEnd = tokens_[next - 1].end;
    return next;
  }

  /// `*p =`, `x[8],`: another variable of a declaration, or another assignment.
  bool beginsDeclarator(size_t at) const {
    while (tokens_.is(at, tok::star) || tokens_.is(at, tok::amp))
      ++at;
    return tokens_.isName(at) &&
           (tokens_.isAssignment(at + 1) || tokens_.is(at + 1, tok::l_square) ||
            tokens_.is(at + 1, tok::comma) || tokens_.is(at + 1, tok::semi) ||
            tokens_.is(at + 1, tok::l_paren) ||
            tokens_.is(at + 1, tok::l_brace) ||
            tokens_.is(at + 1, tok::period) || tokens_.is(at + 1, tok::arrow));
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
      tokens_.addAssigned(begin, last, statement.names);
      if (i == 0)
        type = tokens_.typeOf(begin, last);
      statement.type = type;
      if (tokens_.spelling(first) == "return")
        statement.kind = SourceStatement::Return;
      else if (!statement.names.empty())
        statement.kind = SourceStatement::Assignment;
      into_.statements.push_back(std::move(statement));
      begin = last + 1;
    }
  }

  /// Declarations of arrays: `float sum[8][8]`.
  void noteArrays(size_t first, size_t last) {
    for (size_t at = first + 1; at + 1 < last; ++at) {
      if (!tokens_.isName(at) || !tokens_.is(at + 1, tok::l_square) ||
          !(tokens_.endsType(at - 1) || tokens_.is(at - 1, tok::comma)))
        continue;
      // `a > b[i]` is no template.
      if (tokens_.is(at - 1, tok::greater) &&
          none_of(seq(first, at),
                  [&](size_t i) { return tokens_.is(i, tok::less); }))
        continue;
      const size_t begin = at + 1;
      size_t end = begin;
      while (tokens_.is(end, tok::l_square))
        end = tokens_.closeOf(end) + 1;
      if (end > tokens_.size() || end == begin || end > last)
        continue;
      into_.arrays[tokens_.spelling(at).str()].push_back(
          {tokens_[at].begin,
           text_.slice(tokens_[begin].begin, tokens_[end - 1].end).str(),
           tokens_.typeOf(first, last)});
    }
  }

  /// The parameters of a function whose body begins at `body`.
  void noteFunction(size_t first, size_t body) {
    for (size_t at = first + 1; at < body; ++at) {
      if (!tokens_.is(at, tok::l_paren) || !tokens_.isWord(at - 1) ||
          tokens_.spelling(at - 1).starts_with("__") ||
          is_contained({"alignas", "noexcept", "decltype", "requires"},
                       tokens_.spelling(at - 1)))
        continue;
      const size_t close = tokens_.closeOf(at);
      if (close >= body)
        return;
      DefinedFunction function{tokens_[at - 1].begin, {}};
      size_t begin = at + 1;
      unsigned depth = 0, angles = 0;
      for (size_t i = begin; i <= close; ++i) {
        if (tokens_.is(i, tok::less))
          ++angles;
        else if (tokens_.is(i, tok::greater))
          angles -= angles != 0;
        else if (tokens_.is(i, tok::greatergreater))
          angles = angles > 2 ? angles - 2 : 0;
        if ((i == close || (tokens_.is(i, tok::comma) && !angles)) && !depth) {
          if (i > begin)
            function.parameters.push_back(tokens_.parameterName(begin, i));
          begin = i + 1;
        } else if (tokens_.isOpen(i)) {
          ++depth;
        } else if (tokens_.isClose(i)) {
          depth -= depth != 0;
        }
      }
      into_.functions.push_back(std::move(function));
      return;
    }
  }

  StringRef text_;
  StatementTokens tokens_;
  StatementsOfText into_;
  unsigned nesting_ = 0;
  bool inFunction_ = false;
};

} // namespace

StatementsOfText readStatements(StringRef text) {
  return StatementReader(text).take();
}

} // namespace warplint
