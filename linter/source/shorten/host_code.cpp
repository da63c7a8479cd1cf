#include "source/shorten/host_code.h"
#include "source/shorten/declared_names.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {
namespace {

/// Calls `found` for each name in `__attribute__((...))`, with the token behind
/// the attribute.
void eachAttribute(const TokenText &in, const Piece &piece,
                   function_ref<void(StringRef name, unsigned after)> found) {
  for (unsigned at = piece.first; at < piece.last; ++at) {
    if (!in.isAttribute(at))
      continue;
    const unsigned close = in.closeOf(at + 1);
    for (unsigned i = at + 2; i < close; ++i)
      if (in.is(i, tok::raw_identifier))
        found(in.spellingOf(i).trim('_'), close + 1);
    at = close;
  }
}

struct Function {
  unsigned body; ///< its '{'
  Word name;     ///< without its class
  bool isTemplate;
};

/// Returns none for other declarations, and for operators, constexpr functions
/// and functions whose type their body determines.
std::optional<Function> readFunction(const TokenText &in, const Piece &piece) {
  unsigned at = in.afterDirectives(piece.first);
  Function function{0, NoWord, in.is(at, "template")};
  while (in.is(at, "template")) {
    auto close = in.closeOfAngle(at + 1, piece.last);
    if (!close)
      return std::nullopt;
    at = in.afterDirectives(*close + 1);
  }
  bool hasParameters = false, hasInitialisers = false;
  for (; at < piece.last; ++at)
    switch (in.tokens[at].kind) {
    case tok::raw_identifier:
      if (StringSwitch<bool>(in.spellingOf(at))
              .Cases({"template", "operator", "requires", "try"}, true)
              .Cases({"auto", "constexpr", "consteval"}, true)
              .Default(false))
        return std::nullopt;
      if (takesParentheses(in.spellingOf(at)) && in.is(at + 1, tok::l_paren))
        at = in.closeOf(at + 1);
      break;
    case tok::l_paren: {
      const unsigned close = in.closeOf(at);
      if (!hasParameters) {
        if (at == piece.first || !in.isName(at - 1))
          return std::nullopt;
        function.name = in.tokens[at - 1].word;
        hasParameters = true;
        for (unsigned i = at; i < close; ++i)
          if (in.is(i, "auto"))
            return std::nullopt;
      } else if (!hasInitialisers) {
        return std::nullopt;
      }
      at = close;
      break;
    }
    case tok::l_square:
      at = in.closeOf(at);
      break;
    case tok::less:
      if (auto close = in.closeOfAngle(at, piece.last))
        at = *close;
      break;
    case tok::colon:
      if (!hasParameters)
        return std::nullopt;
      hasInitialisers = true;
      break;
    case tok::semi:
    case tok::equal:
      return std::nullopt;
    case tok::l_brace: {
      const unsigned close = in.closeOf(at);
      if (close + 1 == piece.last && hasParameters) {
        function.body = at;
        return function;
      }
      if (!hasInitialisers)
        return std::nullopt;
      at = close;
      break;
    }
    default:
      break;
    }
  return std::nullopt;
}

/// True if the attribute that ends before `at` belongs to a variable or a
/// lambda, false if to a function.
bool isVariableOrLambda(const TokenText &in, unsigned at, unsigned last) {
  while (at < last && in.isAttribute(at))
    at = in.closeOf(at + 1) + 1;
  if (in.is(at, tok::l_paren) || in.is(at, tok::l_brace))
    return true;
  for (; at < last; ++at)
    if (in.is(at, "operator"))
      return false;
    else if (in.is(at, tok::raw_identifier) && in.is(at + 1, tok::l_paren) &&
             takesParentheses(in.spellingOf(at)))
      at = in.closeOf(at + 1);
    else if (in.is(at, tok::l_paren))
      return in.is(at + 1, tok::star);
    else if (in.is(at, tok::semi) || in.is(at, tok::equal) ||
             in.is(at, tok::l_brace) || in.is(at, tok::l_square))
      return true;
    else if (in.is(at, tok::less))
      at = in.closeOfAngle(at, last).value_or(at);
  return true;
}

bool has(const TokenText &in, unsigned first, unsigned last,
         ArrayRef<StringRef> words) {
  return any_of(seq(first, last), [&](unsigned at) {
    return in.is(at, tok::raw_identifier) &&
           is_contained(words, in.spellingOf(at));
  });
}

class HostCode {
public:
  HostCode(const TokenText &text, ArrayRef<Piece> pieces);
  /// True if no device code depends on it, provided that no piece that stays
  /// names it.
  bool mayGo(unsigned piece) const;
  /// The '{' of a function's body that no device code depends on, or 0.
  unsigned emptyBody(unsigned piece) const;

private:
  void readPiece(unsigned piece);
  void lead(const Piece &piece);
  bool isLed(unsigned first, unsigned last) const;
  bool hasDirective(unsigned first, unsigned last) const;
  void follow();

  const TokenText &in_;
  const ArrayRef<Piece> pieces_;
  std::vector<std::optional<Function>> functions_; ///< by piece
  std::vector<bool> isOfDevice_;                   ///< by piece
  std::vector<bool> isNamedByDevice_;              ///< by word
  /// By word: naming it may instantiate code for the device.
  std::vector<bool> leads_;
  std::vector<unsigned> mayLead_; ///< pieces
  bool everythingLeads_ = false;
};

HostCode::HostCode(const TokenText &text, ArrayRef<Piece> pieces)
    : in_(text), pieces_(pieces), functions_(pieces.size()),
      isOfDevice_(pieces.size()), isNamedByDevice_(text.words.size()),
      leads_(text.words.size()) {
  for (unsigned piece = 0; piece < pieces.size(); ++piece)
    if (pieces[piece].kind == Piece::Own)
      readPiece(piece);
  follow();
}

void HostCode::readPiece(unsigned i) {
  const Piece &piece = pieces_[i];
  functions_[i] = readFunction(in_, piece);
  // Other declarations are compiled if they are no templates.
  const bool isAlwaysCompiled =
      functions_[i] ? !functions_[i]->isTemplate
                    : !has(in_, piece.first, piece.last, {"template", "auto"});
  bool isOfDevice = false, isTarget = false;
  eachAttribute(in_, piece, [&](StringRef name, unsigned after) {
    const bool isKernel = name == "global";
    const bool isVariable = name == "constant" || name == "managed";
    isOfDevice |= isKernel || isVariable || name == "device";
    isTarget |=
        isKernel || isVariable ||
        (name == "device" && isVariableOrLambda(in_, after, piece.last));
  });
  isOfDevice_[i] = isOfDevice;
  if (isOfDevice || has(in_, piece.first, piece.last, {"constexpr"}))
    for (unsigned at = piece.first; at < piece.last; ++at)
      if (in_.isName(at))
        isNamedByDevice_[in_.tokens[at].word] = true;
  if (isTarget && !isAlwaysCompiled)
    lead(piece);
  else
    mayLead_.push_back(i);
}

/// Operators are used without a name, so with one, every piece leads.
void HostCode::lead(const Piece &piece) {
  if (has(in_, piece.first, piece.last, {"static_assert", "_Static_assert"}) &&
      !has(in_, piece.first, piece.last, {"template"}))
    return;
  const DeclaredNames names = namesOf(in_, piece);
  everythingLeads_ |=
      (names.words.empty() && names.operands.empty()) ||
      (!names.isClass && has(in_, piece.first, piece.last, {"operator"}));
  for (Word word : names.words)
    leads_[word] = true;
  for (Word word : names.operands)
    leads_[word] = true;
}

bool HostCode::isLed(unsigned first, unsigned last) const {
  return everythingLeads_ || any_of(seq(first, last), [&](unsigned at) {
           return in_.isName(at) && leads_[in_.tokens[at].word];
         });
}

void HostCode::follow() {
  for (bool isChanged = true; isChanged && !everythingLeads_;) {
    const size_t before = mayLead_.size();
    erase_if(mayLead_, [&](unsigned i) {
      const auto &function = functions_[i];
      // nvcc compiles the body of a function that is no template anyway.
      const bool isRead = function && !function->isTemplate;
      const bool isLeading =
          isLed(pieces_[i].first, isRead ? function->body : pieces_[i].last);
      if (isLeading)
        lead(pieces_[i]);
      return isLeading;
    });
    isChanged = mayLead_.size() < before;
  }
}

/// True if there is a directive that may affect what follows.
bool HostCode::hasDirective(unsigned first, unsigned last) const {
  return any_of(seq(first, last), [&](unsigned at) {
    return in_.is(at, tok::eod) && !readLineMarker(in_.spellingOf(at));
  });
}

bool HostCode::mayGo(unsigned i) const {
  const auto [first, last, kind, body] = pieces_[i];
  const bool isInstantiation =
      in_.is(in_.afterDirectives(first), "template") &&
      !in_.is(in_.afterDirectives(first) + 1, tok::less);
  return kind == Piece::Own && !isOfDevice_[i] && !isInstantiation &&
         !hasDirective(first, last) && !isLed(first, last);
}

/// Not for templates: their arguments decide what the body names.
unsigned HostCode::emptyBody(unsigned i) const {
  const auto &function = functions_[i];
  if (!function || function->isTemplate || isOfDevice_[i] ||
      isNamedByDevice_[function->name])
    return 0;
  const auto [first, last, kind, body] = pieces_[i];
  const bool isEmpty = function->body + 2 == last;
  return isEmpty || hasDirective(function->body, last) || isLed(first, last)
             ? 0
             : function->body;
}

} // namespace

bool isKernelTemplate(const TokenText &text, const Piece &piece) {
  bool isKernel = false;
  eachAttribute(text, piece, [&](StringRef name, unsigned) {
    isKernel |= name == "global";
  });
  return isKernel && has(text, piece.first, piece.last, {"template", "auto"});
}

/// The function after which nvcc names a file's static kernels: the first one
/// with external linkage; the number of pieces if there is none.
static size_t namesake(const TokenText &in, ArrayRef<Piece> pieces) {
  std::vector<bool> isUnnamed; // by enclosing namespace
  for (const auto &[i, piece] : enumerate(pieces)) {
    const unsigned last = piece.last - 1;
    if (piece.kind == Piece::Between) {
      if (in.is(last, tok::l_brace))
        isUnnamed.push_back(last > piece.first && in.is(last - 1, "namespace"));
      else if (in.is(last, tok::r_brace) && !isUnnamed.empty())
        isUnnamed.pop_back();
      continue;
    }
    const auto function =
        piece.kind == Piece::Own ? readFunction(in, piece) : std::nullopt;
    if (function && !function->isTemplate && !is_contained(isUnnamed, true) &&
        !has(in, piece.first, function->body,
             {"static", "inline", "__inline__", "__inline"}))
      return i;
  }
  return pieces.size();
}

void markHostCode(const TokenText &text, std::vector<Piece> &pieces) {
  const HostCode code(text, pieces);
  const size_t first = namesake(text, pieces);
  for (size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].emptyBody = code.emptyBody(i);
    if (code.mayGo(i) && i != first)
      pieces[i].kind = Piece::MayGo;
  }
}

} // namespace warplint
