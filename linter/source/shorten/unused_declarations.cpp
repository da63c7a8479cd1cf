#include "source/shorten/unused_declarations.h"
#include "source/shorten/declared_names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {
namespace {

/// Names that nvcc and the language use though the source does not name them.
constexpr StringLiteral ImpliedWords =
    "dim3 uint3 cudaError_t cudaError cudaStream_t "
    "__cudaPushCallConfiguration __cudaPopCallConfiguration cudaConfigureCall "
    "cudaSetupArgument cudaLaunch cudaLaunchKernel cudaLaunchKernelExC "
    "cudaGetParameterBuffer cudaGetParameterBufferV2 cudaLaunchDevice "
    "cudaLaunchDeviceV2 initializer_list type_info bad_alloc align_val_t "
    "nothrow_t size_t ptrdiff_t strong_ordering weak_ordering "
    "partial_ordering coroutine_traits coroutine_handle vprintf malloc free "
    "memcpy memset __assertfail";

class Reachability {
public:
  Reachability(const TokenText &text, ArrayRef<Piece> pieces)
      : in_(text), pieces_(pieces), stays_(pieces_.size()),
        declaredBy_(in_.words.size()), isNeeded_(in_.words.size()) {}

  std::vector<bool> find();

private:
  void keep(unsigned piece);
  void need(Word word);
  void needEach(StringRef spellings);
  bool isOfObject(unsigned at) const;
  void needWordsOf(const Piece &piece);

  const TokenText &in_;
  const ArrayRef<Piece> pieces_;
  std::vector<bool> stays_;                          ///< by piece
  std::vector<SmallVector<unsigned, 1>> declaredBy_; ///< pieces, by word
  std::vector<bool> isNeeded_;                       ///< by word
  std::vector<unsigned> newlyKept_;                  ///< pieces
};

void Reachability::keep(unsigned piece) {
  if (stays_[piece])
    return;
  stays_[piece] = true;
  newlyKept_.push_back(piece);
}

void Reachability::need(Word word) {
  if (isNeeded_[word])
    return;
  isNeeded_[word] = true;
  for (unsigned piece : declaredBy_[word])
    keep(piece);
}

/// Takes words separated by blanks; ignores those that the text does not have.
void Reachability::needEach(StringRef spellings) {
  for (StringRef spelling : split(spellings, ' '))
    if (auto word = in_.words.find(spelling); word != in_.words.end())
      need(word->second);
}

/// True for the name of a member behind `object.` or `pointer->`. An arrow may
/// also stand before the return type of a function.
bool Reachability::isOfObject(unsigned at) const {
  if (in_.is(at + 1, tok::coloncolon))
    return false;
  return in_.is(at - 1, tok::period) ||
         (in_.is(at - 1, tok::arrow) &&
          (in_.isName(at - 2) || in_.is(at - 2, "this") ||
           in_.is(at - 2, tok::r_square)));
}

void Reachability::needWordsOf(const Piece &piece) {
  for (unsigned at = piece.first; at < piece.last; ++at) {
    if (piece.emptyBody && at == piece.emptyBody)
      at = piece.last - 1;
    if (in_.tokens[at].word == NoWord)
      continue;
    const bool isMember = at > piece.first + 1 && isOfObject(at);
    if (!isMember) // a member stays with its class
      need(in_.tokens[at].word);
    if (in_.is(at, "auto")) { // auto &[first, second] = ...
      unsigned next = at + 1;
      while (in_.is(next, tok::amp) || in_.is(next, tok::ampamp) ||
             in_.is(next, "const"))
        ++next;
      if (in_.is(next, tok::l_square))
        needEach("tuple_size tuple_element get");
    } else if (in_.is(at, "for") && in_.is(at + 1, tok::l_paren)) {
      for (unsigned i = at + 2, close = in_.closeOf(at + 1); i < close; ++i)
        if (in_.is(i, tok::colon))
          needEach("begin end");
    }
  }
}

std::vector<bool> Reachability::find() {
  std::vector<bool> isKnown(in_.words.size()), isClass(in_.words.size()),
      isAlias(in_.words.size());
  std::vector<std::pair<unsigned, DeclaredNames>> byOperands;
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].kind != Piece::MayGo)
      keep(i);
    if (pieces_[i].kind == Piece::Between)
      continue;
    DeclaredNames names = namesOf(in_, pieces_[i]);
    if (names.always)
      keep(i);
    const bool hasOperands = names.isFoundByOperands || !names.operands.empty();
    for (Word word : names.words) {
      isKnown[word] = true;
      isClass[word] = isClass[word] || names.isClass;
      isAlias[word] = isAlias[word] || names.isAlias;
      if (!hasOperands)
        declaredBy_[word].push_back(i);
    }
    if (hasOperands)
      byOperands.push_back({i, std::move(names)});
  }
  auto isMeant = [&](const DeclaredNames &names) {
    return any_of(names.words, [&](Word word) { return isNeeded_[word]; }) ||
           (names.isFoundByOperands &&
            (names.words.empty() ||
             any_of(names.operands, [&](Word word) { return isClass[word]; })));
  };
  auto hasOperands = [&](const DeclaredNames &names) {
    if (names.needsAllOperands)
      return all_of(names.operands, [&](Word word) {
        return isNeeded_[word] || !isClass[word] || isAlias[word];
      });
    return none_of(names.operands, [&](Word word) { return isKnown[word]; }) ||
           any_of(names.operands,
                  [&](Word word) { return isKnown[word] && isNeeded_[word]; });
  };
  needEach(ImpliedWords);
  do {
    while (!newlyKept_.empty()) {
      const unsigned piece = newlyKept_.back();
      newlyKept_.pop_back();
      needWordsOf(pieces_[piece]);
    }
    for (const auto &[piece, names] : byOperands)
      if (isMeant(names) && hasOperands(names))
        keep(piece);
    if (!newlyKept_.empty())
      continue;
    // A template that is never instantiated may name a function too, and nvcc
    // wants to find a declaration of that name.
    std::vector<bool> isDeclared(in_.words.size());
    for (const auto &[piece, names] : byOperands)
      for (Word word : names.words)
        isDeclared[word] = isDeclared[word] || stays_[piece];
    for (const auto &[piece, names] : byOperands)
      if (!names.isFoundByOperands && any_of(names.words, [&](Word word) {
            return isNeeded_[word] && !isDeclared[word] &&
                   declaredBy_[word].empty();
          }))
        keep(piece);
  } while (!newlyKept_.empty());
  return std::move(stays_);
}

} // namespace

std::vector<bool> neededPieces(const TokenText &text, ArrayRef<Piece> pieces) {
  return Reachability(text, pieces).find();
}

} // namespace warplint
