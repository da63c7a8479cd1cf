// Tokens with the words that they are, of a preprocessed text or of Clang's
// preprocessor.
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
  llvm::StringRef spelling;
  clang::tok::TokenKind kind; ///< `eod`: a whole directive, with its newline
  Word word = NoWord;         ///< for an identifier or a literal's suffix
};

/// `# 12 "file.h" 3`: the place of the next line.
struct LineMarker {
  unsigned line = 0;
  llvm::StringRef file;
  bool isSystem = false; ///< gcc's mark of a system header
};

/// Returns none if the directive is another one.
std::optional<LineMarker> readLineMarker(llvm::StringRef directive);

/// True for `__attribute__` and the like: the parentheses behind it hold no
/// parameters.
bool takesParentheses(llvm::StringRef word);
/// struct, class, union, enum
bool isClassKey(llvm::StringRef word);

/// An index names a token; the predicates are false for an index past the end.
class TokenText {
public:
  TokenText();
  /// `text` must end in a null and outlive this object.
  explicit TokenText(llvm::StringRef text);

  /// Adds a token behind the others. `spelling` must outlive this object.
  void add(clang::tok::TokenKind kind, llvm::StringRef spelling);

  bool is(unsigned at, llvm::StringRef spelling) const {
    return at < tokens.size() && spellingOf(at) == spelling;
  }
  bool is(unsigned at, clang::tok::TokenKind kind) const {
    return at < tokens.size() && tokens[at].kind == kind;
  }
  /// True for an identifier that is no keyword.
  bool isName(unsigned at) const {
    return is(at, clang::tok::raw_identifier) && tokens[at].word >= keywords;
  }
  /// True at the start of `__attribute__((...))`.
  bool isAttribute(unsigned at) const {
    return is(at, clang::tok::raw_identifier) && tokens[at].word < keywords &&
           is(at + 1, clang::tok::l_paren) &&
           (is(at, "__attribute__") || is(at, "__attribute") ||
            is(at, "__declspec"));
  }
  llvm::StringRef spellingOf(unsigned at) const {
    return tokens[at].spelling;
  }
  /// In bytes of `text`.
  unsigned beginOf(unsigned at) const {
    return tokens[at].spelling.begin() - text.begin();
  }
  unsigned endOf(unsigned at) const {
    return tokens[at].spelling.end() - text.begin();
  }

  /// The bracket that closes the one at `open`; the last token if none does.
  unsigned closeOf(unsigned open) const;
  /// The end of the template list that starts at `open`: its '>', or the '>>'
  /// that it shares with another list.
  std::optional<unsigned> closeOfAngle(unsigned open, unsigned last) const;
  unsigned afterDirectives(unsigned at) const;
  /// The parameters of the `operator` at `at`.
  unsigned afterOperatorSymbol(unsigned at) const;
  /// The ',' or ';' behind the '=' at `at`, or `last`.
  unsigned afterInitialiser(unsigned at, unsigned last) const;

  llvm::StringRef text; ///< what was read as a whole; empty if nothing was
  std::vector<Token> tokens;
  llvm::StringMap<Word> words;
  Word keywords = 0; ///< words below this are never names

private:
  Word wordOf(llvm::StringRef spelling) {
    return words.try_emplace(spelling, words.size()).first->second;
  }
  Word wordOfSuffix(llvm::StringRef suffix);
  Word suffixOf(llvm::StringRef literal);
};

} // namespace warplint
