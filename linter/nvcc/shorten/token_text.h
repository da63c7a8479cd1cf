// A preprocessed text to its tokens.
#pragma once
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace warplint {

using Word = unsigned; ///< index of an identifier's spelling
constexpr Word NoWord = ~0U;

struct Token {
  unsigned begin, end;        ///< bytes
  clang::tok::TokenKind kind; ///< `eod`: a whole directive, with its newline
  Word word = NoWord;         ///< of an identifier, or of a literal's suffix
};

/// What `# 12 "file.h" 3` says of the line behind it.
struct LineMarker {
  unsigned line = 0;
  llvm::StringRef file;
  bool isSystem = false; ///< gcc's mark of a system header
};

/// Nothing if the directive is another one.
std::optional<LineMarker> readLineMarker(llvm::StringRef directive);

/// Whether `__attribute__((...))` and the like: no parameters stand behind it.
bool takesParentheses(llvm::StringRef word);
/// struct, class, union, enum
bool isClassKey(llvm::StringRef word);

/// Tokens are named by their index; one behind the last is none of any kind.
/// `text` ends in a null, and is not copied.
class TokenText {
public:
  explicit TokenText(llvm::StringRef text);

  bool is(unsigned at, llvm::StringRef spelling) const {
    return at < tokens.size() && spellingOf(at) == spelling;
  }
  bool is(unsigned at, clang::tok::TokenKind kind) const {
    return at < tokens.size() && tokens[at].kind == kind;
  }
  /// Whether a declaration may be called so.
  bool isName(unsigned at) const {
    return is(at, clang::tok::raw_identifier) && tokens[at].word >= keywords;
  }
  /// Whether `__attribute__((...))` begins.
  bool isAttribute(unsigned at) const {
    return is(at, clang::tok::raw_identifier) && tokens[at].word < keywords &&
           is(at + 1, clang::tok::l_paren) &&
           (is(at, "__attribute__") || is(at, "__attribute") ||
            is(at, "__declspec"));
  }
  llvm::StringRef spellingOf(unsigned at) const {
    return text.slice(tokens[at].begin, tokens[at].end);
  }

  /// Where the bracket at `open` is closed; the last token if it is not.
  unsigned closeOf(unsigned open) const;
  /// Where the template's list that begins at `open` ends: its '>', or the '>>'
  /// that it shares.
  std::optional<unsigned> closeOfAngle(unsigned open, unsigned last) const;
  unsigned afterDirectives(unsigned at) const;
  /// After `operator` and its symbol: at its parameters.
  unsigned afterOperatorSymbol(unsigned at) const;
  /// At the ',' or ';' behind the '=' at `at`, or at `last`.
  unsigned afterInitialiser(unsigned at, unsigned last) const;

  llvm::StringRef text;
  std::vector<Token> tokens;
  llvm::StringMap<Word> words;
  Word keywords = 0; ///< the first so many words are never names

private:
  Word wordOf(llvm::StringRef spelling) {
    return words.try_emplace(spelling, words.size()).first->second;
  }
  Word wordOfSuffix(llvm::StringRef suffix);
  Word suffixOf(llvm::StringRef literal);
  void lex();
};

} // namespace warplint
