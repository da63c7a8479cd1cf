#include "nvcc/shorten/unused_declarations.h"
#include "nvcc/shorten/declared_names.h"
#include "nvcc/shorten/host_code.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {
namespace {

/// What nvcc and the language mean without a word of it in the source.
constexpr StringLiteral ImpliedWords =
    "dim3 uint3 cudaError_t cudaError cudaStream_t "
    "__cudaPushCallConfiguration __cudaPopCallConfiguration cudaConfigureCall "
    "cudaSetupArgument cudaLaunch cudaLaunchKernel cudaLaunchKernelExC "
    "cudaGetParameterBuffer cudaGetParameterBufferV2 cudaLaunchDevice "
    "cudaLaunchDeviceV2 initializer_list type_info bad_alloc align_val_t "
    "nothrow_t size_t ptrdiff_t strong_ordering weak_ordering "
    "partial_ordering coroutine_traits coroutine_handle vprintf malloc free "
    "memcpy memset __assertfail";

class Shortener {
public:
  Shortener(const TokenText &text, std::vector<Piece> pieces)
      : in_(text), pieces_(std::move(pieces)), stays_(pieces_.size()),
        declaredBy_(in_.words.size()), isNeeded_(in_.words.size()) {}

  void findNeeded();
  bool keepsAny(function_ref<bool(const Piece &)> isAsked) const;
  std::string write() const;

private:
  void keep(unsigned piece);
  void need(Word word);
  void needEach(StringRef spellings);
  bool isOfObject(unsigned at) const;
  void needWordsOf(const Piece &piece);

  const TokenText &in_;
  const std::vector<Piece> pieces_;
  std::vector<bool> stays_;                          ///< by piece
  std::vector<SmallVector<unsigned, 1>> declaredBy_; ///< pieces, by word
  std::vector<bool> isNeeded_;                       ///< by word
  std::vector<unsigned> newlyKept_;                  ///< pieces
};

void Shortener::keep(unsigned piece) {
  if (stays_[piece])
    return;
  stays_[piece] = true;
  newlyKept_.push_back(piece);
}

void Shortener::need(Word word) {
  if (isNeeded_[word])
    return;
  isNeeded_[word] = true;
  for (unsigned piece : declaredBy_[word])
    keep(piece);
}

/// Words apart by blanks; those that do not come up are none.
void Shortener::needEach(StringRef spellings) {
  for (StringRef spelling : split(spellings, ' '))
    if (auto word = in_.words.find(spelling); word != in_.words.end())
      need(word->second);
}

/// Whether a word is a member's, of `object.` or `pointer->`; an arrow may also
/// stand before the type that a function returns.
bool Shortener::isOfObject(unsigned at) const {
  if (in_.is(at + 1, tok::coloncolon))
    return false;
  return in_.is(at - 1, tok::period) ||
         (in_.is(at - 1, tok::arrow) &&
          (in_.isName(at - 2) || in_.is(at - 2, "this") ||
           in_.is(at - 2, tok::r_square)));
}

void Shortener::needWordsOf(const Piece &piece) {
  for (unsigned at = piece.first; at < piece.last; ++at) {
    if (piece.emptyBody && at == piece.emptyBody)
      at = piece.last - 1;
    if (in_.tokens[at].word == NoWord)
      continue;
    const bool isMember = at > piece.first + 1 && isOfObject(at);
    if (!isMember) // which stands and falls with its class
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

void Shortener::findNeeded() {
  std::vector<bool> isKnown(in_.words.size()), isClass(in_.words.size()),
      isAlias(in_.words.size());
  std::vector<std::pair<unsigned, Names>> byOperands;
  for (unsigned i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].kind != Piece::MayGo)
      keep(i);
    if (pieces_[i].kind == Piece::Between)
      continue;
    Names names = namesOf(in_, pieces_[i]);
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
  auto isMeant = [&](const Names &names) {
    return any_of(names.words, [&](Word word) { return isNeeded_[word]; }) ||
           (names.isFoundByOperands &&
            (names.words.empty() ||
             any_of(names.operands, [&](Word word) { return isClass[word]; })));
  };
  auto hasOperands = [&](const Names &names) {
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
    // A template that is never instantiated may name a function as well, and
    // that name must then be found.
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
}

bool Shortener::keepsAny(function_ref<bool(const Piece &)> isAsked) const {
  return any_of(zip(pieces_, stays_), [&](const auto &each) {
    const auto &[piece, stays] = each;
    return stays && isAsked(piece);
  });
}

/// Appends ranges of tokens of a text, and behind a gap where it goes on.
class Writer {
public:
  explicit Writer(const TokenText &in) : in_(in), out_(result_) {
    result_.reserve(in.text.size());
  }

  void add(unsigned first, unsigned last, bool stays);
  std::string finish() {
    out_ << '\n';
    return std::move(result_);
  }

private:
  const TokenText &in_;
  std::string result_;
  raw_string_ostream out_;
  LineMarker place_{1, "", false};
  unsigned written_ = 0; ///< bytes of the text that `place_` is behind
  bool isGap_ = false;
};

void Writer::add(unsigned first, unsigned last, bool stays) {
  const unsigned begin = in_.tokens[first].begin;
  const unsigned end = in_.tokens[last - 1].end;
  if (stays && isGap_) {
    place_.line += in_.text.slice(written_, begin).count('\n');
    written_ = begin;
    out_ << "\n# " << place_.line << " \"" << place_.file << '"'
         << (place_.isSystem ? " 3" : "") << '\n';
    const size_t newline = in_.text.rfind('\n', begin);
    for (char c : in_.text.slice(newline + 1, begin)) // columns count too
      out_ << (c == '\t' ? '\t' : ' ');
  }
  if (stays)
    out_ << in_.text.slice(written_, end);
  isGap_ = !stays;
  for (unsigned at = first; at < last; ++at)
    if (in_.is(at, tok::eod))
      if (auto marker = readLineMarker(in_.spellingOf(at))) {
        place_ = *marker;
        written_ = in_.tokens[at].end;
      }
  place_.line += in_.text.slice(written_, end).count('\n');
  written_ = end;
}

std::string Shortener::write() const {
  Writer writer(in_);
  bool isFirst = true; // the first marker names the source
  for (auto [piece, stays] : zip(pieces_, stays_)) {
    const bool isMarker = in_.is(piece.first, tok::eod) &&
                          readLineMarker(in_.spellingOf(piece.first)) &&
                          piece.last == piece.first + 1;
    const unsigned body = stays ? piece.emptyBody : 0;
    writer.add(piece.first, body ? body + 1 : piece.last,
               stays && (isFirst || !isMarker));
    isFirst = false;
    if (body) {
      writer.add(body + 1, piece.last - 1, false);
      writer.add(piece.last - 1, piece.last, true);
    }
  }
  return writer.finish();
}

} // namespace

std::string withoutUnusedDeclarations(StringRef text,
                                      function_ref<bool(StringRef)> isLibrary,
                                      bool keepsHostCode) {
  const TokenText tokens(text);
  std::vector<Piece> pieces = divide(tokens, isLibrary);
  auto launchesForHost = [&](const Piece &piece) {
    return piece.kind == Piece::MayGo && isKernelTemplate(tokens, piece);
  };
  if (keepsHostCode || any_of(pieces, launchesForHost)) {
    Shortener withHostCode(tokens, pieces);
    withHostCode.findNeeded();
    if (keepsHostCode || withHostCode.keepsAny(launchesForHost))
      return withHostCode.write();
  }
  letHostCodeGo(tokens, pieces);
  Shortener shortener(tokens, std::move(pieces));
  shortener.findNeeded();
  return shortener.write();
}

} // namespace warplint
