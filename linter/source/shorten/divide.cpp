#include "source/shorten/divide.h"
#include <algorithm>

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {
namespace {

/// True for directives that nvcc applies to the next declaration.
bool isOfNextDeclaration(StringRef directive) {
  return directive.contains("nv_exec_check_disable") ||
         directive.contains("hd_warning_disable");
}

class Divider {
public:
  explicit Divider(const TokenText &text) : in_(text) {}
  unsigned scopeOpenedAt(unsigned at) const;
  unsigned endOfDeclaration(unsigned first) const;

private:
  bool isRequiresExpression(unsigned first, unsigned brace) const;

  const TokenText &in_;
};

/// The token after the '{' of a namespace or of extern "C" that starts at `at`,
/// or after a namespace alias; else `at`.
unsigned Divider::scopeOpenedAt(unsigned at) const {
  if (in_.is(at, "extern") && in_.is(at + 1, tok::string_literal) &&
      in_.is(at + 2, tok::l_brace))
    return at + 3;
  unsigned name = in_.is(at, "inline") ? at + 1 : at;
  if (!in_.is(name, "namespace"))
    return at;
  while (name < in_.tokens.size() && !in_.is(name, tok::l_brace) &&
         !in_.is(name, tok::semi))
    name = in_.is(name, tok::l_paren) || in_.is(name, tok::l_square)
               ? in_.closeOf(name) + 1
               : name + 1;
  return name + 1;
}

/// True for the '{' of `requires (T t) { ... }`.
bool Divider::isRequiresExpression(unsigned first, unsigned brace) const {
  unsigned before = brace - 1;
  if (in_.is(before, tok::r_paren)) {
    unsigned depth = 0;
    for (; before > first; --before)
      if (in_.is(before, tok::r_paren))
        ++depth;
      else if (in_.is(before, tok::l_paren) && --depth == 0)
        break;
    --before;
  }
  return before >= first && before < brace && in_.is(before, "requires");
}

/// The token after the ';' or '}' that ends the declaration at `first`.
unsigned Divider::endOfDeclaration(unsigned first) const {
  bool isClass = false, hasParameters = false, hasInitialiser = false;
  for (unsigned at = first; at < in_.tokens.size();)
    switch (in_.tokens[at].kind) {
    case tok::semi:
      return at + 1;
    case tok::r_brace: // of the scope: the declaration was not understood
      return std::max(at, first + 1);
    case tok::l_paren:
      hasParameters |= at > first && !takesParentheses(in_.spellingOf(at - 1));
      at = in_.closeOf(at) + 1;
      break;
    case tok::l_square:
      at = in_.closeOf(at) + 1;
      break;
    case tok::equal:
      hasInitialiser = true;
      ++at;
      break;
    case tok::less: {
      const bool isList = at > first && (in_.is(at - 1, "template") ||
                                         (isClass && !hasParameters));
      auto close =
          isList ? in_.closeOfAngle(at, in_.tokens.size()) : std::nullopt;
      at = close ? *close + 1 : at + 1;
      break;
    }
    case tok::l_brace: {
      const unsigned after = in_.closeOf(at) + 1;
      if (isRequiresExpression(first, at) || hasInitialiser ||
          (isClass && !hasParameters)) {
        at = after;
        break;
      }
      at = after;
      // A member initialiser; the constructor's body follows.
      if (in_.is(at, tok::comma) || in_.is(at, tok::l_brace) ||
          in_.is(at, "catch"))
        break;
      if (hasParameters)
        return at;
      break;
    }
    case tok::raw_identifier:
      isClass |= isClassKey(in_.spellingOf(at));
      at = in_.is(at, "operator") ? in_.afterOperatorSymbol(at) : at + 1;
      break;
    default:
      ++at;
    }
  return in_.tokens.size();
}

} // namespace

std::vector<Piece> divide(const TokenText &text,
                          function_ref<bool(StringRef)> isLibrary) {
  const Divider divider(text);
  std::vector<Piece> pieces;
  bool inLibrary = false;
  auto readFile = [&](unsigned at) {
    if (auto marker = readLineMarker(text.spellingOf(at)))
      inLibrary = marker->isSystem || isLibrary(marker->file);
  };
  for (unsigned at = 0; at < text.tokens.size();) {
    Piece &piece = pieces.emplace_back(Piece{at, at + 1});
    if (text.is(at, tok::eod) && !isOfNextDeclaration(text.spellingOf(at))) {
      readFile(at);
    } else if (!text.is(at, tok::semi) && !text.is(at, tok::r_brace)) {
      const unsigned begin = text.afterDirectives(at);
      piece.last =
          begin < text.tokens.size() ? divider.scopeOpenedAt(begin) : begin;
      const bool isDeclaration =
          piece.last == begin && begin < text.tokens.size();
      if (isDeclaration)
        piece.last = divider.endOfDeclaration(begin);
      piece.last = std::min<unsigned>(piece.last, text.tokens.size());
      bool isAllOfLibrary = true;
      for (unsigned i = at; i < piece.last; ++i) {
        isAllOfLibrary &= inLibrary;
        if (text.is(i, tok::eod))
          readFile(i);
      }
      if (isDeclaration)
        piece.kind = isAllOfLibrary && inLibrary ? Piece::MayGo : Piece::Own;
    }
    at = piece.last;
  }
  return pieces;
}

} // namespace warplint
