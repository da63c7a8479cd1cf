#include "input/written_calls.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {

namespace {

struct Word {
  tok::TokenKind kind;
  StringRef text;
};

/// The tokens of a text. Of directives, the bodies of macros stay, each between
/// two semicolons.
std::vector<Word> lex(StringRef text) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 =
      language.CPlusPlus17 = language.LineComment = true;
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), language,
                     text.begin(), text.begin(), text.end());
  std::vector<Word> words;
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
    else if (in == Name)
      in = *end == '(' ? Parameters : Body;
    else if (in == Parameters && word.kind == tok::r_paren)
      in = Body;
  }
  return words;
}

class CallReader {
public:
  CallReader(std::vector<Word> words, CallsByFunction &into)
      : words_(std::move(words)), into_(into) {}

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

  /// Returns true if a type stands before the name: a declaration.
  bool isDeclared(size_t begin) const {
    bool hasType = false;
    for (size_t at = begin; at-- > 0;) {
      const Word &word = words_[at];
      if (is_contained({tok::semi, tok::l_brace, tok::r_brace}, word.kind))
        break;
      if (word.kind == tok::raw_identifier) {
        if (is_contained({"return", "else", "do", "case", "goto", "throw",
                          "co_return", "co_yield", "co_await"},
                         word.text))
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
          passed.push_back(number(first, end));
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
      visit(of->second, of->first.parameters);
  }

  const std::vector<Word> words_;
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

void CallSearch::addCallsIn(StringRef text) {
  const std::set<StringRef> here = wordsOf(text, names_);
  if (here.empty())
    return;
  std::vector<Word> words = lex(text);
  std::lock_guard<std::mutex> lock(mutex_);
  CallReader reader(std::move(words), into_);
  for (StringRef name : here)
    reader.read(name);
}

} // namespace warplint
