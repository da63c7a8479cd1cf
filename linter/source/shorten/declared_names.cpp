#include "source/shorten/declared_names.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {
namespace {

class NameReader {
public:
  explicit NameReader(const TokenText &text) : in_(text) {}
  DeclaredNames allNamesOf(const Piece &piece,
                           SmallVectorImpl<Word> &templateParameters) const;

private:
  void qualifiedName(unsigned last, unsigned first,
                     SmallVectorImpl<Word> &words) const;
  void templateParameters(unsigned open, unsigned close,
                          SmallVectorImpl<Word> &words) const;
  void deducedClasses(unsigned open, unsigned close,
                      ArrayRef<Word> templateParameters,
                      SmallVectorImpl<Word> &words) const;
  void streamsOfAnyType(unsigned first, unsigned last,
                        SmallVectorImpl<Word> &words) const;
  bool isNamedTwice(ArrayRef<Word> words, unsigned first, unsigned last) const;
  void everyName(unsigned first, unsigned last,
                 SmallVectorImpl<Word> &words) const;

  const TokenText &in_;
};

void NameReader::everyName(unsigned first, unsigned last,
                           SmallVectorImpl<Word> &words) const {
  for (unsigned at = first; at < last; ++at)
    if (in_.isName(at))
      words.push_back(in_.tokens[at].word);
}

/// Adds the name that ends at `last` and then its qualifiers, classes and
/// namespaces, from the innermost one out.
void NameReader::qualifiedName(unsigned last, unsigned first,
                               SmallVectorImpl<Word> &words) const {
  for (unsigned at = last;;) {
    if (in_.is(at, tok::greater) || in_.is(at, tok::greatergreater)) {
      int depth = 0;
      for (; at > first; --at) {
        depth += in_.is(at, tok::greater) + 2 * in_.is(at, tok::greatergreater);
        if (in_.is(at, tok::less) && --depth <= 0)
          break;
      }
      --at;
    }
    if (in_.isName(at))
      words.push_back(in_.tokens[at].word);
    if (at > first && in_.is(at - 1, tok::tilde))
      --at;
    if (at <= first + 1 || !in_.is(at - 1, tok::coloncolon))
      return;
    at -= 2;
  }
}

/// Adds the names that `template <...>` declares.
void NameReader::templateParameters(unsigned open, unsigned close,
                                    SmallVectorImpl<Word> &words) const {
  for (unsigned at = open + 2; at < close; ++at)
    if (in_.isName(at) &&
        (in_.is(at - 1, tok::raw_identifier) ||
         in_.is(at - 1, tok::ellipsis)) &&
        (in_.is(at + 1, tok::comma) || in_.is(at + 1, tok::equal) ||
         at + 1 == close))
      words.push_back(in_.tokens[at].word);
}

/// Adds X for each parameter X<T> with a deduced T: the class of its argument
/// is X<...> or derived from it, so code that has one names X.
void NameReader::deducedClasses(unsigned open, unsigned close,
                                ArrayRef<Word> templateParameters,
                                SmallVectorImpl<Word> &words) const {
  for (unsigned at = open + 1; at < close; ++at) {
    if (in_.is(at, tok::equal)) // a default argument
      at = in_.afterInitialiser(at, close);
    if (in_.is(at, tok::l_paren))
      at = in_.closeOf(at);
    if (!in_.isName(at) || !in_.is(at + 1, tok::less))
      continue;
    auto end = in_.closeOfAngle(at + 1, close + 1); // may share a ">>"
    if (!end)
      return;
    bool isDeduced = false;
    for (unsigned i = at + 2; i < *end; ++i)
      isDeduced |= is_contained(templateParameters, in_.tokens[i].word);
    unsigned after = *end + 1;
    while (in_.is(after, tok::amp) || in_.is(after, tok::ampamp) ||
           in_.is(after, tok::star) || in_.is(after, "const"))
      ++after;
    // A member type deduces nothing, and a pack may be empty.
    if (isDeduced && !in_.is(after, tok::coloncolon) &&
        !in_.is(after, tok::ellipsis))
      words.push_back(in_.tokens[at].word);
    at = *end;
  }
}

/// gcc's operator for `std::move(stream) << x` takes any type and tests with
/// these names whether the first operand is a stream. It needs ios_base.
void NameReader::streamsOfAnyType(unsigned first, unsigned last,
                                  SmallVectorImpl<Word> &words) const {
  for (unsigned at = first; at < last; ++at)
    if (in_.isName(at) && (in_.spellingOf(at).starts_with("__rvalue_stream_") ||
                           in_.spellingOf(at).starts_with("__rvalue_ostream") ||
                           in_.spellingOf(at).starts_with("__rvalue_istream")))
      if (auto base = in_.words.find("ios_base"); base != in_.words.end())
        words.push_back(base->second);
}

/// True for an alias of the same name, such as pmr::vector of std::vector.
bool NameReader::isNamedTwice(ArrayRef<Word> words, unsigned first,
                              unsigned last) const {
  return words.size() == 1 && count_if(seq(first, last), [&](unsigned at) {
                                return in_.tokens[at].word == words.front();
                              }) > 1;
}

DeclaredNames NameReader::allNamesOf(const Piece &piece,
                                     SmallVectorImpl<Word> &parameters) const {
  DeclaredNames names;
  const unsigned last = piece.last;
  unsigned first = in_.afterDirectives(piece.first);
  bool isTemplate = false;
  while (in_.is(first, "template") && in_.is(first + 1, tok::less)) {
    auto close = in_.closeOfAngle(first + 1, last);
    if (!close) {
      names.always = true;
      return names;
    }
    isTemplate |= *close > first + 2; // template <> declares no template
    templateParameters(first + 1, *close, parameters);
    first = in_.afterDirectives(*close + 1);
  }
  if (in_.is(first, "static_assert") || in_.is(first, "_Static_assert"))
    return names; // it has no effect
  if (in_.is(first, "asm") || in_.is(first, "__asm__") ||
      (in_.is(first, "using") && in_.is(first + 1, "namespace"))) {
    names.always = true;
    return names;
  }
  // True for kernels and variables, which nvcc emits without a use.
  auto actsByItself = [&](unsigned at) {
    return !isTemplate && (in_.is(at, "global") || in_.is(at, "constant") ||
                           in_.is(at, "managed"));
  };
  bool isClass = false, isEnum = false;
  unsigned bodies = 0;
  for (unsigned at = first; at < last;) {
    switch (in_.tokens[at].kind) {
    case tok::raw_identifier: {
      const StringRef word = in_.spellingOf(at);
      isClass |= isClassKey(word);
      isEnum |= word == "enum";
      names.always |= actsByItself(at);
      if (word == "operator") {
        if (in_.is(at + 1, "new") || in_.is(at + 1, "delete")) {
          names.always = true;
          return names;
        }
        if (in_.is(at + 1,
                   tok::string_literal)) { // operator""_x, operator"" _x
          const bool isApart = in_.tokens[at + 1].word == NoWord;
          if (!isApart || in_.isName(at + 2))
            names.words.push_back(in_.tokens[at + 1 + isApart].word);
          return names;
        }
        names.isFoundByOperands = true;
        if (at > first && in_.is(at - 1, tok::coloncolon)) {
          names.needsAllOperands = true;
          qualifiedName(at - 2, first, names.operands);
          return names;
        }
        names.needsAllOperands = isTemplate;
        const unsigned open = in_.afterOperatorSymbol(at);
        const unsigned close = std::min(in_.closeOf(open), last);
        if (isTemplate)
          deducedClasses(open, close, parameters, names.operands);
        else
          everyName(open, close, names.operands);
        streamsOfAnyType(first, at, names.operands);
        return names;
      }
      // These tokens can follow a declared name.
      if (in_.isName(at) && at + 1 < last &&
          (in_.is(at + 1, tok::equal) || in_.is(at + 1, tok::semi) ||
           in_.is(at + 1, tok::comma) || in_.is(at + 1, tok::l_square) ||
           in_.is(at + 1, tok::l_brace) || in_.is(at + 1, tok::colon) ||
           in_.is(at + 1, "final") ||
           takesParentheses(in_.spellingOf(at + 1)))) {
        SmallVector<Word> name;
        if (!in_.is(first, "using"))
          qualifiedName(at, first, name);
        names.words.push_back(in_.tokens[at].word);
        names.isFoundByOperands |= name.size() > 1;
        names.needsAllOperands |= name.size() > 1;
        append_range(names.operands, drop_begin(name, !name.empty()));
      }
      ++at;
      break;
    }
    case tok::l_paren: {
      if (at > first && takesParentheses(in_.spellingOf(at - 1))) {
        for (unsigned i = at; i < in_.closeOf(at); ++i)
          names.always |= actsByItself(i);
        at = in_.closeOf(at) + 1;
        break;
      }
      // The name of a function, or a rare form that is not understood.
      if (at > first && (in_.isName(at - 1) || in_.is(at - 1, tok::greater) ||
                         in_.is(at - 1, tok::greatergreater))) {
        SmallVector<Word> name;
        qualifiedName(at - 1, first, name);
        if (!bodies) { // X<T>::type __attribute__((device)) f(T)
          names.words.clear();
          names.operands.clear();
        }
        names.needsAllOperands = true;
        names.isFoundByOperands = name.size() > 1;
        names.words.push_back(name.empty() ? NoWord : name.front());
        append_range(names.operands, drop_begin(name, !name.empty()));
        if (isTemplate && name.size() == 1)
          deducedClasses(at, std::min(in_.closeOf(at), last), parameters,
                         names.operands);
      } else
        everyName(first, last, names.words);
      return names;
    }
    case tok::l_brace: {
      const unsigned close = in_.closeOf(at);
      if (isEnum)
        everyName(at, close, names.words);
      ++bodies;
      at = close + 1;
      break;
    }
    case tok::l_square:
      at = in_.closeOf(at) + 1;
      break;
    case tok::less: {
      if (isClass && at > first && in_.isName(at - 1))
        names.words.push_back(in_.tokens[at - 1].word);
      auto close = in_.closeOfAngle(at, last);
      if (isClass && isTemplate && close) { // a partial specialisation
        names.needsAllOperands = true;
        deducedClasses(at, *close, parameters, names.operands);
      }
      // The name of a variable template precedes its list.
      if (close && at > first && in_.isName(at - 1) &&
          (in_.is(*close + 1, tok::equal) || in_.is(*close + 1, tok::semi) ||
           in_.is(*close + 1, tok::l_brace)))
        names.words.push_back(in_.tokens[at - 1].word);
      at = close ? *close + 1 : at + 1;
      break;
    }
    case tok::colon: // base classes, or the width of a bit field
      while (at < last && !in_.is(at, tok::l_brace) && !in_.is(at, tok::semi))
        ++at;
      break;
    case tok::equal:
      at = in_.afterInitialiser(at, last);
      break;
    default:
      ++at;
    }
  }
  if (names.words.empty() || bodies > 1)
    everyName(first, last, names.words);
  names.isClass = isClass;
  names.isAlias = (in_.is(first, "using") || in_.is(first, "typedef")) &&
                  !isNamedTwice(names.words, first, last);
  return names;
}

} // namespace

DeclaredNames namesOf(const TokenText &text, const Piece &piece) {
  SmallVector<Word> parameters;
  DeclaredNames names = NameReader(text).allNamesOf(piece, parameters);
  erase_if(names.words, [&](Word word) {
    return word == NoWord || word < text.keywords ||
           is_contained(parameters, word);
  });
  return names;
}

} // namespace warplint
