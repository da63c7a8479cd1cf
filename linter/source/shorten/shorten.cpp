#include "source/shorten/shorten.h"
#include "source/shorten/divide.h"
#include "source/shorten/host_code.h"
#include "source/shorten/unused_declarations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {
namespace {

/// Appends ranges of tokens of a text. After a gap it writes a line marker.
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
  unsigned written_ = 0; ///< bytes of the text that are before `place_`
  bool isGap_ = false;
};

void Writer::add(unsigned first, unsigned last, bool stays) {
  const unsigned begin = in_.beginOf(first);
  const unsigned end = in_.endOf(last - 1);
  if (stays && isGap_) {
    place_.line += in_.text.slice(written_, begin).count('\n');
    written_ = begin;
    out_ << "\n# " << place_.line << " \"" << place_.file << '"'
         << (place_.isSystem ? " 3" : "") << '\n';
    const size_t newline = in_.text.rfind('\n', begin);
    for (char c : in_.text.slice(newline + 1, begin)) // keeps the column
      out_ << (c == '\t' ? '\t' : ' ');
  }
  if (stays)
    out_ << in_.text.slice(written_, end);
  isGap_ = !stays;
  for (unsigned at = first; at < last; ++at)
    if (in_.is(at, tok::eod))
      if (auto marker = readLineMarker(in_.spellingOf(at))) {
        place_ = *marker;
        written_ = in_.endOf(at);
      }
  place_.line += in_.text.slice(written_, end).count('\n');
  written_ = end;
}

std::string write(const TokenText &text, ArrayRef<Piece> pieces,
                  const std::vector<bool> &isNeeded) {
  Writer writer(text);
  bool isFirst = true; // the first marker names the source
  for (auto [piece, stays] : zip(pieces, isNeeded)) {
    const bool isMarker = text.is(piece.first, tok::eod) &&
                          readLineMarker(text.spellingOf(piece.first)) &&
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

std::string shorten(StringRef text, function_ref<bool(StringRef)> isLibrary,
                    bool keepsHostCode) {
  const TokenText tokens(text);
  std::vector<Piece> pieces = divide(tokens, isLibrary);
  auto launchesForHost = [&](const Piece &piece) {
    return piece.kind == Piece::MayGo && isKernelTemplate(tokens, piece);
  };
  if (keepsHostCode || any_of(pieces, launchesForHost)) {
    const std::vector<bool> isNeeded = neededPieces(tokens, pieces);
    if (keepsHostCode || any_of(zip(pieces, isNeeded), [&](const auto &each) {
          const auto &[piece, stays] = each;
          return stays && launchesForHost(piece);
        }))
      return write(tokens, pieces, isNeeded);
  }
  markHostCode(tokens, pieces);
  return write(tokens, pieces, neededPieces(tokens, pieces));
}

std::vector<StringRef> filesIn(StringRef text) {
  StringSet<> seen; // each is named dozens of times
  std::vector<StringRef> files;
  for (StringRef line : split(text, '\n')) {
    auto marker = line.starts_with("# ") ? readLineMarker(line) : std::nullopt;
    // "<built-in>" and the folder, "/work//", are not files.
    if (marker && !marker->file.starts_with("<") &&
        !marker->file.ends_with("/") && seen.insert(marker->file).second)
      files.push_back(marker->file);
  }
  return files;
}

} // namespace warplint
