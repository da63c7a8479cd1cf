#include "input/written_calls.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {

namespace {

struct Word {
  tok::TokenKind kind;
  StringRef text;
};

struct Text {
  std::vector<Word> words;
  /// Where the bodies of macros without parameters begin in `words`.
  StringMap<std::vector<size_t>> macros;
  StringSet<> inConditions; ///< names in directives that define nothing
};

/// The tokens of a text. Of directives, the bodies of macros stay, each between
/// two semicolons.
Text lex(StringRef text) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 =
      language.CPlusPlus17 = language.LineComment = true;
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), language,
                     text.begin(), text.begin(), text.end());
  Text result;
  std::vector<Word> &words = result.words;
  enum { Code, Directive, Skipped, Name, Parameters, Body } in = Code;
  clang::Token token;
  while (!lexer.LexFromRawLexer(token) || token.isNot(tok::eof)) {
    const char *end = lexer.getBufferLocation();
    const Word word{token.getKind(),
                    StringRef(end - token.getLength(), token.getLength())};
    if (token.isAtStartOfLine()) {
      if (in != Code || word.kind == tok::hash)
        words.push_back({tok::semi, ";"});
      in = word.kind == tok::hash ? Directive : Code;
      if (in == Directive)
        continue;
    }
    if (in == Code || in == Body)
      words.push_back(word);
    else if (in == Directive)
      in = word.text == "define" ? Name : Skipped;
    else if (in == Skipped)
      result.inConditions.insert(word.text);
    else if (in == Name) {
      in = *end == '(' ? Parameters : Body;
      if (in == Body)
        result.macros[word.text].push_back(words.size());
    } else if (in == Parameters && word.kind == tok::r_paren)
      in = Body;
  }
  words.push_back({tok::semi, ";"});
  return result;
}

class CallReader {
public:
  CallReader(Text text, StringRef file, CallsByFunction &into)
      : text_(std::move(text)), file_(file), into_(into) {}

  void read(StringRef name) {
    for (size_t at = 0; at < words_.size(); ++at)
      if (words_[at].kind == tok::raw_identifier && words_[at].text == name)
        readAt(at);
  }

private:
  bool is(size_t at, tok::TokenKind kind) const {
    return at < words_.size() && words_[at].kind == kind;
  }
  bool isWord(size_t at) const { return is(at, tok::raw_identifier); }

  /// The first word of the name with its scopes.
  size_t qualified(size_t at) const {
    while (at > 0 && is(at - 1, tok::coloncolon))
      at -= at > 1 && isWord(at - 2) ? 2 : 1;
    return at;
  }

  /// Returns true for a word in front of an expression.
  static bool isStatement(StringRef word) {
    return is_contained({"return", "else", "do", "case", "goto", "throw",
                         "co_return", "co_yield", "co_await"},
                        word);
  }

  /// Returns true if a type stands before the name: a declaration.
  bool isDeclared(size_t begin) const {
    bool hasType = false;
    for (size_t at = begin; at-- > 0;) {
      const Word &word = words_[at];
      if (is_contained({tok::semi, tok::l_brace, tok::r_brace}, word.kind))
        break;
      if (word.kind == tok::raw_identifier) {
        if (isStatement(word.text))
          return false;
        hasType = true;
      } else if (!is_contained({tok::star, tok::amp, tok::ampamp, tok::less,
                                tok::greater, tok::comma, tok::coloncolon,
                                tok::string_literal},
                               word.kind)) {
        return false;
      }
    }
    return hasType;
  }

  /// The word behind template arguments; the same word if there are none.
  size_t behindArguments(size_t at) const {
    constexpr size_t most = 64;
    if (!is(at, tok::less))
      return at;
    int depth = 0;
    for (size_t end = at; end < std::min(at + most, words_.size()); ++end) {
      if (is(end, tok::less))
        ++depth;
      else if (is(end, tok::greater))
        --depth;
      else if (is(end, tok::greatergreater))
        depth -= 2;
      else if (is(end, tok::semi) || is(end, tok::l_brace))
        break;
      if (depth <= 0)
        return end + 1;
    }
    return at;
  }

  /// The number that words [first, last) are, or the constant that they name in
  /// front of `at`.
  std::optional<uint64_t> numberAt(size_t at, size_t first,
                                   size_t last) const {
    if (const auto written = number(first, last))
      return written;
    return last - first == 1 && isWord(first) ? constant(words_[first].text, at)
                                              : std::nullopt;
  }

  /// The number that words [first, last) are.
  std::optional<uint64_t> number(size_t first, size_t last) const {
    while (last - first > 2 && is(first, tok::l_paren) &&
           is(last - 1, tok::r_paren))
      ++first, --last;
    const bool isNegative = last - first == 2 && is(first, tok::minus);
    first += isNegative;
    if (last - first != 1)
      return std::nullopt;
    StringRef text = words_[first].text;
    if (text == "true" || text == "false")
      return text == "true";
    uint64_t value;
    text = text.rtrim("uUlLzZ");
    if (!is(first, tok::numeric_constant) || text.getAsInteger(0, value))
      return std::nullopt;
    return isNegative ? -value : value;
  }

  /// The number up to the end of a macro or of a variable's definition.
  std::optional<uint64_t> numberUpTo(std::initializer_list<tok::TokenKind> ends,
                                     size_t first) const {
    size_t last = first;
    while (!is_contained(ends, words_[last].kind)) // the last one is a semicolon
      ++last;
    return number(first, last);
  }

  /// The number that every definition of a macro has. A build may decide which
  /// one it is, or that it is another.
  std::optional<uint64_t> macro(ArrayRef<size_t> bodies, StringRef name) const {
    auto numberOf = [&](size_t body) { return numberUpTo({tok::semi}, body); };
    const std::optional<uint64_t> value = numberOf(bodies.front());
    const bool isOne =
        !text_.inConditions.contains(name) &&
        all_of(bodies, [&](size_t body) { return numberOf(body) == value; });
    return isOne ? value : std::nullopt;
  }

  /// The number that `name` stands for in front of `at`: its macro, or the
  /// constant that the nearest enclosing scope declares.
  std::optional<uint64_t> constant(StringRef name, size_t at) const {
    if (auto bodies = text_.macros.find(name); bodies != text_.macros.end())
      return macro(bodies->second, name);
    unsigned ended = 0, parentheses = 0; // scopes and groups behind `at`
    bool isHead = false;                 // of a function, an `if` or a loop
    while (at-- > 0) {
      if (is(at, tok::r_brace))
        ++ended;
      else if (is(at, tok::l_brace))
        ended -= ended > 0;
      else if (ended > 0)
        continue;
      else if (is(at, tok::r_paren))
        isHead = parentheses++ == 0 ? is(at + 1, tok::l_brace) : isHead;
      else if (is(at, tok::l_paren))
        parentheses -= parentheses > 0;
      else if (words_[at].text == name && isWord(at) &&
               mayBeDeclared(at, parentheses > 0, isHead))
        return constantDefinedAt(at);
    }
    return std::nullopt;
  }

  /// Returns true if the name at `at` may be a variable's that is declared
  /// there.
  bool mayBeDeclared(size_t at, bool isInParentheses, bool isInHead) const {
    if (at == 0)
      return false;
    if (isWord(at - 1))
      return !isStatement(words_[at - 1].text);
    if (is(at - 1, tok::comma))
      return !isInParentheses;
    if (is(at - 1, tok::l_square))
      return at > 1 && words_[at - 2].text == "auto";
    if (is(at - 1, tok::greater)) // std::vector<int> n
      return !isInParentheses || isInHead;
    const bool isIndirect = is(at - 1, tok::star) || is(at - 1, tok::amp) ||
                            is(at - 1, tok::ampamp);
    if (!isIndirect || isInParentheses)
      return isIndirect && isInHead;
    size_t type = at - 1; // `float *n`, not `x = m * n`
    while (type > 0 && (isWord(type - 1) || is(type - 1, tok::coloncolon) ||
                        is(type - 1, tok::star) || is(type - 1, tok::greater)))
      --type;
    return type == 0 || is(type - 1, tok::semi) || is(type - 1, tok::l_brace) ||
           is(type - 1, tok::r_brace) || is(type - 1, tok::less);
  }

  /// The number in `const int n = 4`.
  std::optional<uint64_t> constantDefinedAt(size_t at) const {
    if (!is(at + 1, tok::equal))
      return std::nullopt;
    bool isConstant = false;
    for (size_t type = at; type > 0 && !isConstant; --type) {
      if (!isWord(type - 1) && !is(type - 1, tok::coloncolon))
        break;
      isConstant = words_[type - 1].text == "const" ||
                   words_[type - 1].text == "constexpr";
    }
    return isConstant ? numberUpTo({tok::semi, tok::comma}, at + 2)
                      : std::nullopt;
  }

  void readAt(size_t at) {
    const size_t begin = qualified(at);
    if (begin > 0 && (is(begin - 1, tok::period) || is(begin - 1, tok::arrow)))
      return; // a member
    const size_t open = behindArguments(at + 1);
    if (!is(open, tok::l_paren)) {
      if (begin == 0 || words_[begin - 1].text != "using")
        forEachOfName(
            at, [](WrittenCalls &calls, unsigned) { calls.isNamed = true; });
      return;
    }
    if (!isDeclared(begin))
      addCall(at, open);
  }

  void addCall(size_t at, size_t open) {
    std::vector<std::optional<uint64_t>> passed;
    bool isWhole = false, hasAngles = false;
    unsigned depth = 0;
    size_t first = open + 1;
    for (size_t end = open; end < words_.size() && !isWhole; ++end) {
      const bool opens = is(end, tok::l_paren) || is(end, tok::l_square) ||
                         is(end, tok::l_brace);
      const bool closes = is(end, tok::r_paren) || is(end, tok::r_square) ||
                          is(end, tok::r_brace);
      hasAngles |= is(end, tok::less);
      depth += opens;
      depth -= closes;
      isWhole = depth == 0;
      if (isWhole || (depth == 1 && is(end, tok::comma))) {
        if (end > open + 1)
          passed.push_back(numberAt(open, first, end));
        first = end + 1;
      }
    }
    forEachOfName(at, [&](WrittenCalls &calls, unsigned parameters) {
      auto here = passed;
      // The commas of template arguments part no arguments of the call.
      if (!isWhole || hasAngles)
        here.clear();
      if (here.size() > parameters)
        return;                     // another function of that name
      if (here.size() < parameters) // a macro may be several arguments
        here.erase(find(here, std::nullopt), here.end());
      here.resize(parameters);
      calls.passed.insert(std::move(here));
    });
  }

  void forEachOfName(size_t at,
                     function_ref<void(WrittenCalls &, unsigned)> visit) {
    for (auto of = into_.lower_bound({words_[at].text.str(), 0});
         of != into_.end() && of->first.name == words_[at].text; ++of)
      if (file_.empty() || of->first.source != file_)
        visit(of->second, of->first.parameters);
  }

  const Text text_;
  const std::vector<Word> &words_ = text_.words;
  const StringRef file_;
  CallsByFunction &into_;
};

StringSet<> namesOf(const CallsByFunction &functions) {
  StringSet<> names;
  for (const auto &[function, calls] : functions)
    names.insert(function.name);
  return names;
}

/// The names of `names` that a text has as words, in comments as well.
std::set<StringRef> wordsOf(StringRef text, const StringSet<> &names) {
  std::set<StringRef> found;
  for (const char *at = text.begin(); at != text.end();) {
    if (!clang::isAsciiIdentifierStart(*at)) {
      ++at;
      continue;
    }
    const char *begin = at;
    while (at != text.end() && clang::isAsciiIdentifierContinue(*at))
      ++at;
    if (auto name = names.find(StringRef(begin, at - begin));
        name != names.end())
      found.insert(name->getKey());
  }
  return found;
}

} // namespace

CallSearch::CallSearch(CallsByFunction &into)
    : names_(namesOf(into)), into_(into) {}

void CallSearch::addCallsIn(StringRef text, StringRef file) {
  const std::set<StringRef> here = wordsOf(text, names_);
  if (here.empty())
    return;
  Text lexed = lex(text);
  std::lock_guard<std::mutex> lock(mutex_);
  CallReader reader(std::move(lexed), file, into_);
  for (StringRef name : here)
    reader.read(name);
}

} // namespace warplint
