#include "input/unused_declarations.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;
using clang::tok::TokenKind;
namespace tok = clang::tok;

namespace warplint {
namespace {

/// Words that are never the name of a declaration.
constexpr StringLiteral KeywordWords[] = {"alignas",
                                          "alignof",
                                          "auto",
                                          "bool",
                                          "char",
                                          "char16_t",
                                          "char32_t",
                                          "char8_t",
                                          "concept",
                                          "const",
                                          "consteval",
                                          "constexpr",
                                          "constinit",
                                          "decltype",
                                          "default",
                                          "delete",
                                          "double",
                                          "explicit",
                                          "export",
                                          "extern",
                                          "false",
                                          "final",
                                          "float",
                                          "friend",
                                          "inline",
                                          "int",
                                          "long",
                                          "mutable",
                                          "noexcept",
                                          "register",
                                          "return",
                                          "short",
                                          "signed",
                                          "sizeof",
                                          "static",
                                          "this",
                                          "thread_local",
                                          "throw",
                                          "true",
                                          "typedef",
                                          "typename",
                                          "unsigned",
                                          "virtual",
                                          "void",
                                          "volatile",
                                          "wchar_t",
                                          "__attribute__",
                                          "__attribute",
                                          "__inline",
                                          "__inline__",
                                          "__extension__",
                                          "__restrict",
                                          "__restrict__",
                                          "__const",
                                          "__signed__",
                                          "__volatile__",
                                          "__asm__",
                                          "__asm",
                                          "__declspec",
                                          "__typeof__",
                                          "__typeof",
                                          "__alignof__",
                                          "_Noreturn",
                                          "__forceinline__",
                                          "asm",
                                          "typeof",
                                          "_Alignas",
                                          "struct",
                                          "class",
                                          "union",
                                          "enum",
                                          "using",
                                          "template",
                                          "namespace",
                                          "operator",
                                          "requires",
                                          "static_assert",
                                          "_Static_assert",
                                          "for"};

/// What nvcc and the language mean without a word of it in the source.
constexpr StringLiteral ImpliedWords[] = {"dim3",
                                          "uint3",
                                          "cudaError_t",
                                          "cudaError",
                                          "cudaStream_t",
                                          "__cudaPushCallConfiguration",
                                          "__cudaPopCallConfiguration",
                                          "cudaConfigureCall",
                                          "cudaSetupArgument",
                                          "cudaLaunch",
                                          "cudaLaunchKernel",
                                          "cudaLaunchKernelExC",
                                          "cudaGetParameterBuffer",
                                          "cudaGetParameterBufferV2",
                                          "cudaLaunchDevice",
                                          "cudaLaunchDeviceV2",
                                          "initializer_list",
                                          "type_info",
                                          "bad_alloc",
                                          "align_val_t",
                                          "nothrow_t",
                                          "size_t",
                                          "ptrdiff_t",
                                          "strong_ordering",
                                          "weak_ordering",
                                          "partial_ordering",
                                          "coroutine_traits",
                                          "coroutine_handle",
                                          "vprintf",
                                          "malloc",
                                          "free",
                                          "memcpy",
                                          "memset",
                                          "__assertfail"};

using Word = unsigned; ///< index of an identifier's spelling
constexpr Word NoWord = ~0U;

struct Token {
  unsigned begin, end; ///< bytes
  TokenKind kind;
  Word word = NoWord; ///< of an identifier, or of a literal's suffix
};

/// Tokens [first, last) that stay or go together.
struct Piece {
  unsigned first, last;
  bool mayGo = false; ///< a declaration in a library's header
  bool stays = false;
};

/// What a declaration is found by.
struct Names {
  SmallVector<Word> words; ///< any of them
  /// Nobody has to name it: an operator, a member.
  bool isFoundByOperands = false;
  bool always = false;  ///< it acts without being named
  bool isClass = false; ///< the words are names of a class
  bool isAlias = false; ///< the words are other names of something
  /// Classes that have to be needed as well: all those that a function is a
  /// member of or that a template's arguments must be, or one of those among
  /// the words of an operator's parameters.
  SmallVector<Word> operands;
  bool needsAllOperands = false;
};

struct Marker {
  unsigned line = 0;
  StringRef file;
  bool isSystem = false;
};

std::optional<Marker> readMarker(StringRef directive) {
  directive = directive.ltrim().drop_front().ltrim(); // the '#'
  directive.consume_front("line");
  directive = directive.ltrim();
  Marker marker;
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

/// nvcc applies these to the declaration that follows.
bool isOfNextDeclaration(StringRef directive) {
  return directive.contains("nv_exec_check_disable") ||
         directive.contains("hd_warning_disable");
}

class Shortener {
public:
  Shortener(StringRef text, function_ref<bool(StringRef)> isLibrary)
      : text_(text), isLibrary_(isLibrary) {
    for (StringRef word : KeywordWords)
      keywords_ = wordOf(word) + 1;
  }

  std::string run() {
    lex();
    divide();
    findNeeded();
    return write();
  }

private:
  Word wordOf(StringRef spelling) {
    return words_.try_emplace(spelling, words_.size()).first->second;
  }
  bool is(unsigned at, StringRef spelling) const {
    return at < tokens_.size() && spellingOf(at) == spelling;
  }
  bool is(unsigned at, TokenKind kind) const {
    return at < tokens_.size() && tokens_[at].kind == kind;
  }
  bool isName(unsigned at) const {
    return is(at, tok::raw_identifier) && tokens_[at].word >= keywords_;
  }
  StringRef spellingOf(unsigned at) const {
    return text_.slice(tokens_[at].begin, tokens_[at].end);
  }

  void lex();
  Word suffixOf(StringRef literal);

  // Division into pieces.
  void divide();
  unsigned scopeOpenedAt(unsigned at) const;
  unsigned endOfDeclaration(unsigned at) const;
  bool isRequiresExpression(unsigned first, unsigned brace) const;
  unsigned closeOf(unsigned open) const;
  std::optional<unsigned> closeOfAngle(unsigned open, unsigned last) const;
  unsigned afterOperatorSymbol(unsigned at) const;
  unsigned afterDirectives(unsigned at) const;

  // What pieces declare.
  Names namesOf(const Piece &piece) const;
  void qualifiedName(unsigned last, unsigned first,
                     SmallVectorImpl<Word> &words) const;
  void templateParameters(unsigned open, unsigned close,
                          SmallVectorImpl<Word> &words) const;
  void deducedClasses(unsigned open, unsigned close,
                      ArrayRef<Word> templateParameters,
                      SmallVectorImpl<Word> &words) const;
  bool isNamedTwice(ArrayRef<Word> words, unsigned first, unsigned last) const;
  Names allNamesOf(const Piece &piece,
                   SmallVectorImpl<Word> &templateParameters) const;
  void everyName(unsigned first, unsigned last,
                 SmallVectorImpl<Word> &words) const;

  // What is needed.
  void findNeeded();
  void keep(unsigned piece);
  void need(Word word);
  bool isOfObject(unsigned at) const;
  void needWordsOf(const Piece &piece);

  std::string write() const;

  StringRef text_;
  function_ref<bool(StringRef)> isLibrary_;
  StringMap<Word> words_;
  Word keywords_ = 0; ///< the first so many words are keywords
  std::vector<Token> tokens_;
  std::vector<Piece> pieces_;
  std::vector<SmallVector<unsigned, 1>> declaredBy_; ///< pieces, by word
  std::vector<bool> isNeeded_;                       ///< by word
  std::vector<unsigned> newlyKept_;
};

/// The suffix of a literal that may be the user's own: 3_km, "text"sv.
Word Shortener::suffixOf(StringRef literal) {
  const size_t quote = literal.find_last_of("\"'");
  const StringRef tail =
      quote == StringRef::npos
          ? literal.drop_until([](char c) { return isAlpha(c) || c == '_'; })
          : literal.drop_front(quote + 1);
  return tail.empty() ? NoWord : wordOf(tail);
}

void Shortener::lex() {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = true;
  language.CPlusPlus17 = language.CPlusPlus20 = language.LineComment = true;
  language.Bool = language.WChar = language.Char8 = true;
  clang::Lexer lexer(clang::SourceLocation(), language, text_.begin(),
                     text_.begin(), text_.end());
  tokens_.reserve(text_.size() / 5);
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof);
       lexer.LexFromRawLexer(token)) {
    const unsigned end = lexer.getCurrentBufferOffset();
    const unsigned begin = end - token.getLength();
    Token &here = tokens_.emplace_back(Token{begin, end, token.getKind()});
    if (token.is(tok::raw_identifier)) {
      here.word = wordOf(text_.slice(begin, end));
    } else if (token.isLiteral()) {
      here.word = suffixOf(text_.slice(begin, end));
    } else if (token.is(tok::hash) && token.isAtStartOfLine()) {
      // A directive is one token: a preprocessed text has no spliced lines.
      const size_t newline = std::min(text_.find('\n', end), text_.size() - 1);
      here.kind = tok::eod;
      here.end = newline + 1;
      lexer.seek(here.end, /*IsAtStartOfLine=*/true);
    }
  }
}

unsigned Shortener::closeOf(unsigned open) const {
  unsigned depth = 0;
  for (unsigned at = open; at < tokens_.size(); ++at)
    switch (tokens_[at].kind) {
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
  return tokens_.size() - 1;
}

/// Where the template's list that begins at `open` ends, its '>' or the '>>'
/// that it shares.
std::optional<unsigned> Shortener::closeOfAngle(unsigned open,
                                                unsigned last) const {
  int depth = 0;
  for (unsigned at = open; at < last; ++at)
    switch (tokens_[at].kind) {
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

unsigned Shortener::afterDirectives(unsigned at) const {
  while (is(at, tok::eod))
    ++at;
  return at;
}

/// After `operator` and its symbol: at its parameters.
unsigned Shortener::afterOperatorSymbol(unsigned at) const {
  ++at;
  if (is(at, tok::l_paren))
    at += 2;
  while (at < tokens_.size() && !is(at, tok::l_paren) && !is(at, tok::semi))
    ++at;
  return at;
}

/// After the '{' of a namespace or of extern "C" that begins at `at`, else
/// `at`; also after a namespace's alias, which is left as it is.
unsigned Shortener::scopeOpenedAt(unsigned at) const {
  if (is(at, "extern") && is(at + 1, tok::string_literal) &&
      is(at + 2, tok::l_brace))
    return at + 3;
  unsigned name = is(at, "inline") ? at + 1 : at;
  if (!is(name, "namespace"))
    return at;
  while (name < tokens_.size() && !is(name, tok::l_brace) &&
         !is(name, tok::semi))
    name = is(name, tok::l_paren) || is(name, tok::l_square) ? closeOf(name) + 1
                                                             : name + 1;
  return name + 1;
}

/// Whether the '{' is that of `requires (T t) { ... }`.
bool Shortener::isRequiresExpression(unsigned first, unsigned brace) const {
  unsigned before = brace - 1;
  if (is(before, tok::r_paren)) {
    unsigned depth = 0;
    for (; before > first; --before)
      if (is(before, tok::r_paren))
        ++depth;
      else if (is(before, tok::l_paren) && --depth == 0)
        break;
    --before;
  }
  return before >= first && before < brace && is(before, "requires");
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

/// After the ';' or '}' that ends the declaration at `first`.
unsigned Shortener::endOfDeclaration(unsigned first) const {
  bool isClass = false, hasParameters = false, hasInitialiser = false;
  for (unsigned at = first; at < tokens_.size();)
    switch (tokens_[at].kind) {
    case tok::semi:
      return at + 1;
    case tok::r_brace: // the scope's: something here was not understood
      return std::max(at, first + 1);
    case tok::l_paren:
      hasParameters |= at > first && !takesParentheses(spellingOf(at - 1));
      at = closeOf(at) + 1;
      break;
    case tok::l_square:
      at = closeOf(at) + 1;
      break;
    case tok::equal:
      hasInitialiser = true;
      ++at;
      break;
    case tok::less: {
      const bool isList =
          at > first && (is(at - 1, "template") || (isClass && !hasParameters));
      auto close = isList ? closeOfAngle(at, tokens_.size()) : std::nullopt;
      at = close ? *close + 1 : at + 1;
      break;
    }
    case tok::l_brace: {
      const unsigned after = closeOf(at) + 1;
      if (isRequiresExpression(first, at) || hasInitialiser ||
          (isClass && !hasParameters)) {
        at = after;
        break;
      }
      at = after;
      // Members' initialisers stand before a constructor's body.
      if (is(at, tok::comma) || is(at, tok::l_brace) || is(at, "catch"))
        break;
      if (hasParameters)
        return at;
      break;
    }
    case tok::raw_identifier:
      isClass |= isClassKey(spellingOf(at));
      at = is(at, "operator") ? afterOperatorSymbol(at) : at + 1;
      break;
    default:
      ++at;
    }
  return tokens_.size();
}

void Shortener::divide() {
  bool inLibrary = false;
  auto readFile = [&](unsigned at) {
    if (auto marker = readMarker(spellingOf(at)))
      inLibrary = marker->isSystem || isLibrary_(marker->file);
  };
  for (unsigned at = 0; at < tokens_.size();) {
    Piece &piece = pieces_.emplace_back(Piece{at, at + 1});
    if (is(at, tok::eod) && !isOfNextDeclaration(spellingOf(at))) {
      readFile(at);
    } else if (!is(at, tok::semi) && !is(at, tok::r_brace)) {
      const unsigned begin = afterDirectives(at);
      piece.last = begin < tokens_.size() ? scopeOpenedAt(begin) : begin;
      if (piece.last == begin && begin < tokens_.size()) {
        piece.last = endOfDeclaration(begin);
        piece.mayGo = true;
      }
      piece.last = std::min<unsigned>(piece.last, tokens_.size());
      for (unsigned i = at; i < piece.last; ++i) {
        piece.mayGo &= inLibrary;
        if (is(i, tok::eod))
          readFile(i);
      }
      piece.mayGo &= inLibrary;
    }
    at = piece.last;
  }
}

void Shortener::everyName(unsigned first, unsigned last,
                          SmallVectorImpl<Word> &words) const {
  for (unsigned at = first; at < last; ++at)
    if (isName(at))
      words.push_back(tokens_[at].word);
}

/// The name that ends at `last`, and before it those of the classes and
/// namespaces it is qualified with, from the inside out.
void Shortener::qualifiedName(unsigned last, unsigned first,
                              SmallVectorImpl<Word> &words) const {
  for (unsigned at = last;;) {
    if (is(at, tok::greater) || is(at, tok::greatergreater)) {
      int depth = 0;
      for (; at > first; --at) {
        depth += is(at, tok::greater) + 2 * is(at, tok::greatergreater);
        if (is(at, tok::less) && --depth <= 0)
          break;
      }
      --at;
    }
    if (isName(at))
      words.push_back(tokens_[at].word);
    if (at > first && is(at - 1, tok::tilde))
      --at;
    if (at <= first + 1 || !is(at - 1, tok::coloncolon))
      return;
    at -= 2;
  }
}

/// The names that `template <...>` declares.
void Shortener::templateParameters(unsigned open, unsigned close,
                                   SmallVectorImpl<Word> &words) const {
  for (unsigned at = open + 2; at < close; ++at)
    if (isName(at) &&
        (is(at - 1, tok::raw_identifier) || is(at - 1, tok::ellipsis)) &&
        (is(at + 1, tok::comma) || is(at + 1, tok::equal) || at + 1 == close))
      words.push_back(tokens_[at].word);
}

/// X of each parameter X<T> with T to be deduced: its argument's class must be
/// X<...> or derived from it, and whoever has one has named X.
void Shortener::deducedClasses(unsigned open, unsigned close,
                               ArrayRef<Word> templateParameters,
                               SmallVectorImpl<Word> &words) const {
  for (unsigned at = open + 1; at < close; ++at) {
    if (is(at, tok::equal)) // an argument by default
      while (at < close && !is(at, tok::comma))
        at = is(at, tok::l_paren) || is(at, tok::l_brace) ? closeOf(at) + 1
             : is(at, tok::less) ? closeOfAngle(at, close).value_or(at) + 1
                                 : at + 1;
    if (is(at, tok::l_paren))
      at = closeOf(at);
    if (!isName(at) || !is(at + 1, tok::less))
      continue;
    auto end = closeOfAngle(at + 1, close + 1); // may share a ">>"
    if (!end)
      return;
    bool isDeduced = false;
    for (unsigned i = at + 2; i < *end; ++i)
      isDeduced |= is_contained(templateParameters, tokens_[i].word);
    unsigned after = *end + 1;
    while (is(after, tok::amp) || is(after, tok::ampamp) ||
           is(after, tok::star) || is(after, "const"))
      ++after;
    // Nothing is deduced through a member type; a pack may be empty.
    if (isDeduced && !is(after, tok::coloncolon) && !is(after, tok::ellipsis))
      words.push_back(tokens_[at].word);
    at = *end;
  }
}

/// pmr::vector is still a vector.
bool Shortener::isNamedTwice(ArrayRef<Word> words, unsigned first,
                             unsigned last) const {
  return words.size() == 1 && count_if(seq(first, last), [&](unsigned at) {
                                return tokens_[at].word == words.front();
                              }) > 1;
}

Names Shortener::namesOf(const Piece &piece) const {
  SmallVector<Word> parameters;
  Names names = allNamesOf(piece, parameters);
  erase_if(names.words, [&](Word word) {
    return word == NoWord || word < keywords_ || is_contained(parameters, word);
  });
  return names;
}

Names Shortener::allNamesOf(const Piece &piece,
                            SmallVectorImpl<Word> &parameters) const {
  Names names;
  const unsigned last = piece.last;
  unsigned first = afterDirectives(piece.first);
  bool isTemplate = false;
  while (is(first, "template") && is(first + 1, tok::less)) {
    auto close = closeOfAngle(first + 1, last);
    if (!close) {
      names.always = true;
      return names;
    }
    isTemplate = true;
    templateParameters(first + 1, *close, parameters);
    first = afterDirectives(*close + 1);
  }
  if (is(first, "static_assert") || is(first, "_Static_assert"))
    return names; // it only checks
  if (is(first, "asm") || is(first, "__asm__") ||
      (is(first, "using") && is(first + 1, "namespace"))) {
    names.always = true;
    return names;
  }
  bool isClass = false, isEnum = false;
  unsigned bodies = 0;
  for (unsigned at = first; at < last;) {
    switch (tokens_[at].kind) {
    case tok::raw_identifier: {
      const StringRef word = spellingOf(at);
      isClass |= isClassKey(word);
      isEnum |= word == "enum";
      // What stands in memory or is run without being named.
      names.always |= !isTemplate && (word == "global" || word == "constant" ||
                                      word == "managed");
      if (word == "operator") {
        if (is(at + 1, "new") || is(at + 1, "delete")) {
          names.always = true;
          return names;
        }
        if (is(at + 1, tok::string_literal)) { // operator""_x, operator"" _x
          const bool isApart = tokens_[at + 1].word == NoWord;
          if (!isApart || isName(at + 2))
            names.words.push_back(tokens_[at + 1 + isApart].word);
          return names;
        }
        names.isFoundByOperands = true;
        if (at > first && is(at - 1, tok::coloncolon)) {
          names.needsAllOperands = true;
          qualifiedName(at - 2, first, names.operands);
          return names;
        }
        names.needsAllOperands = isTemplate;
        const unsigned open = afterOperatorSymbol(at);
        const unsigned close = std::min(closeOf(open), last);
        if (isTemplate)
          deducedClasses(open, close, parameters, names.operands);
        else
          everyName(open, close, names.operands);
        return names;
      }
      // The name before what can follow a declared one.
      if (isName(at) && at + 1 < last &&
          (is(at + 1, tok::equal) || is(at + 1, tok::semi) ||
           is(at + 1, tok::comma) || is(at + 1, tok::l_square) ||
           is(at + 1, tok::l_brace) || is(at + 1, tok::colon) ||
           is(at + 1, "final") || takesParentheses(spellingOf(at + 1))))
        names.words.push_back(tokens_[at].word);
      ++at;
      break;
    }
    case tok::l_paren: {
      if (at > first && takesParentheses(spellingOf(at - 1))) {
        for (unsigned i = at; i < closeOf(at); ++i)
          names.always |=
              !isTemplate &&
              (is(i, "global") || is(i, "constant") || is(i, "managed"));
        at = closeOf(at) + 1;
        break;
      }
      // A function's name, or something that is not worth understanding.
      if (at > first && (isName(at - 1) || is(at - 1, tok::greater) ||
                         is(at - 1, tok::greatergreater))) {
        SmallVector<Word> name;
        qualifiedName(at - 1, first, name);
        names.needsAllOperands = true;
        names.isFoundByOperands = name.size() > 1;
        if (name.size() > 1)
          append_range(names.operands, drop_begin(name));
        else
          names.words = name;
        if (isTemplate && name.size() == 1)
          deducedClasses(at, std::min(closeOf(at), last), parameters,
                         names.operands);
      } else
        everyName(first, last, names.words);
      return names;
    }
    case tok::l_brace: {
      const unsigned close = closeOf(at);
      if (isEnum)
        everyName(at, close, names.words);
      ++bodies;
      at = close + 1;
      break;
    }
    case tok::l_square:
      at = closeOf(at) + 1;
      break;
    case tok::less: {
      if (isClass && at > first && isName(at - 1))
        names.words.push_back(tokens_[at - 1].word);
      auto close = closeOfAngle(at, last);
      if (isClass && isTemplate && close) { // a partial specialisation
        names.needsAllOperands = true;
        deducedClasses(at, *close, parameters, names.operands);
      }
      // A variable template's name stands before its list.
      if (close && at > first && isName(at - 1) &&
          (is(*close + 1, tok::equal) || is(*close + 1, tok::semi) ||
           is(*close + 1, tok::l_brace)))
        names.words.push_back(tokens_[at - 1].word);
      at = close ? *close + 1 : at + 1;
      break;
    }
    case tok::colon: // a class's bases, a bit field's width
      while (at < last && !is(at, tok::l_brace) && !is(at, tok::semi))
        ++at;
      break;
    case tok::equal:
      while (at < last && !is(at, tok::comma) && !is(at, tok::semi)) {
        if (is(at, tok::l_paren) || is(at, tok::l_brace) ||
            is(at, tok::l_square))
          at = closeOf(at);
        else if (is(at, tok::less))
          at = closeOfAngle(at, last).value_or(at);
        ++at;
      }
      break;
    default:
      ++at;
    }
  }
  if (names.words.empty() || bodies > 1)
    everyName(first, last, names.words);
  names.isClass = isClass;
  names.isAlias = (is(first, "using") || is(first, "typedef")) &&
                  !isNamedTwice(names.words, first, last);
  return names;
}

void Shortener::keep(unsigned piece) {
  if (pieces_[piece].stays)
    return;
  pieces_[piece].stays = true;
  newlyKept_.push_back(piece);
}

void Shortener::need(Word word) {
  if (isNeeded_[word])
    return;
  isNeeded_[word] = true;
  for (unsigned piece : declaredBy_[word])
    keep(piece);
}

/// Whether a word is a member's, of `object.` or `pointer->`; an arrow may also
/// stand before the type that a function returns.
bool Shortener::isOfObject(unsigned at) const {
  if (is(at + 1, tok::coloncolon))
    return false;
  return is(at - 1, tok::period) ||
         (is(at - 1, tok::arrow) &&
          (isName(at - 2) || is(at - 2, "this") || is(at - 2, tok::r_square)));
}

void Shortener::needWordsOf(const Piece &piece) {
  auto needAll = [&](std::initializer_list<StringLiteral> spellings) {
    for (StringRef spelling : spellings)
      if (auto word = words_.find(spelling); word != words_.end())
        need(word->second);
  };
  for (unsigned at = piece.first; at < piece.last; ++at) {
    if (tokens_[at].word == NoWord)
      continue;
    const bool isMember = at > piece.first + 1 && isOfObject(at);
    if (!isMember) // which stands and falls with its class
      need(tokens_[at].word);
    if (is(at, "auto")) { // auto &[first, second] = ...
      unsigned next = at + 1;
      while (is(next, tok::amp) || is(next, tok::ampamp) || is(next, "const"))
        ++next;
      if (is(next, tok::l_square))
        needAll({"tuple_size", "tuple_element", "get"});
    } else if (is(at, "for") && is(at + 1, tok::l_paren)) {
      for (unsigned i = at + 2, close = closeOf(at + 1); i < close; ++i)
        if (is(i, tok::colon))
          needAll({"begin", "end"});
    }
  }
}

void Shortener::findNeeded() {
  declaredBy_.resize(words_.size());
  isNeeded_.resize(words_.size());
  std::vector<bool> isOfLibrary(words_.size()), isClass(words_.size()),
      isAlias(words_.size());
  std::vector<std::pair<unsigned, Names>> byOperands;
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].mayGo) {
      keep(i);
      continue;
    }
    Names names = namesOf(pieces_[i]);
    if (names.always)
      keep(i);
    const bool hasOperands = names.isFoundByOperands || !names.operands.empty();
    for (Word word : names.words) {
      isOfLibrary[word] = true;
      isClass[word] = isClass[word] || names.isClass;
      isAlias[word] = isAlias[word] || names.isAlias;
      if (!hasOperands)
        declaredBy_[word].push_back(i);
    }
    if (hasOperands)
      byOperands.push_back({i, std::move(names)});
  }
  auto isNeeded = [&](Word word) { return isNeeded_[word]; };
  auto hasOperands = [&](const Names &names) {
    if (names.needsAllOperands)
      return all_of(names.operands, [&](Word word) {
        return isNeeded_[word] || !isClass[word] || isAlias[word];
      });
    return none_of(names.operands,
                   [&](Word word) { return isOfLibrary[word]; }) ||
           any_of(names.operands, [&](Word word) {
             return isOfLibrary[word] && isNeeded_[word];
           });
  };
  for (StringRef implied : ImpliedWords)
    if (auto word = words_.find(implied); word != words_.end())
      need(word->second);
  do {
    while (!newlyKept_.empty()) {
      const unsigned piece = newlyKept_.back();
      newlyKept_.pop_back();
      needWordsOf(pieces_[piece]);
    }
    for (const auto &[piece, names] : byOperands)
      if ((names.isFoundByOperands || any_of(names.words, isNeeded)) &&
          hasOperands(names))
        keep(piece);
    if (!newlyKept_.empty())
      continue;
    // A template that is never instantiated may name a function as well, and
    // that name must then be found.
    std::vector<bool> isDeclared(words_.size());
    for (const auto &[piece, names] : byOperands)
      for (Word word : names.words)
        isDeclared[word] = isDeclared[word] || pieces_[piece].stays;
    for (const auto &[piece, names] : byOperands)
      if (any_of(names.words, [&](Word word) {
            return isNeeded_[word] && !isDeclared[word] &&
                   declaredBy_[word].empty();
          }))
        keep(piece);
  } while (!newlyKept_.empty());
}

std::string Shortener::write() const {
  std::string result;
  result.reserve(text_.size());
  raw_string_ostream out(result);
  Marker place{1, "", false};
  unsigned written = 0; ///< bytes of the text that `place` is behind
  bool isGap = false;
  for (const Piece &piece : pieces_) {
    const unsigned begin = tokens_[piece.first].begin;
    const unsigned end = tokens_[piece.last - 1].end;
    if (piece.stays && isGap) {
      place.line += text_.slice(written, begin).count('\n');
      written = begin;
      out << '\n';
      if (!is(piece.first, tok::eod))
        out << "# " << place.line << " \"" << place.file << '"'
            << (place.isSystem ? " 3" : "") << '\n';
    }
    if (piece.stays)
      out << text_.slice(written, end);
    isGap = !piece.stays;
    for (unsigned at = piece.first; at < piece.last; ++at)
      if (is(at, tok::eod))
        if (auto marker = readMarker(spellingOf(at))) {
          place = *marker;
          written = tokens_[at].end;
        }
    place.line += text_.slice(written, end).count('\n');
    written = end;
  }
  out << '\n';
  return result;
}

} // namespace

std::string withoutUnusedDeclarations(StringRef text,
                                      function_ref<bool(StringRef)> isLibrary) {
  return Shortener(text, isLibrary).run();
}

} // namespace warplint
