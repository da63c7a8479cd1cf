#include "nvcc/kept_function.h"
#include "input/search_flags.h"
#include "source/shorten/token_text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
namespace tok = clang::tok;

namespace warplint {
namespace {

/// The bytes of the text that are lines of the source: the line of a place.
class SourceLine {
public:
  SourceLine(StringRef text, const Place &place, StringRef directory) {
    const std::string wanted = pathIn(directory, place.file);
    bool isInFile = false;
    unsigned number = 0;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const StringRef line = text.slice(begin, end);
      auto marker = line.starts_with("#") ? readLineMarker(line) : std::nullopt;
      if (marker) {
        isInFile = pathIn(directory, marker->file) == wanted;
        number = marker->line;
      } else {
        if (isInFile && number == place.line)
          bytes_.push_back({begin, end});
        ++number;
      }
      begin = end + 1;
    }
  }

  /// True if a piece of the line overlaps with bytes [begin, end].
  bool isIn(size_t begin, size_t end) const {
    return any_of(bytes_, [&](const auto &piece) {
      return piece.first <= end && begin <= piece.second;
    });
  }

private:
  SmallVector<std::pair<size_t, size_t>, 4> bytes_;
};

/// The '{' of a function's body, behind the ')' of its parameters; none if it
/// has none.
std::optional<unsigned> bodyBehind(const TokenText &in, unsigned close) {
  for (unsigned at = close + 1; at < in.tokens.size(); ++at) {
    if (in.is(at, tok::l_brace))
      return at;
    if (in.is(at, tok::l_paren))
      at = in.closeOf(at);
    else if (!in.is(at, tok::raw_identifier) && !in.is(at, tok::eod) &&
             !is_contained({"->", "::", "<", ">", "*", "&", "&&", ","},
                           in.spellingOf(at)))
      return std::nullopt;
  }
  return std::nullopt;
}

/// The first token of the declaration whose name is at `name`, behind the
/// parameters of a template.
std::optional<unsigned> beginOf(const TokenText &in, unsigned name) {
  unsigned begin = name;
  for (; begin; --begin) {
    const unsigned before = begin - 1;
    if (in.is(before, tok::semi) || in.is(before, tok::l_brace) ||
        in.is(before, tok::r_brace))
      break;
    if (in.is(before, tok::colon) && before &&
        is_contained({"public", "private", "protected"},
                     in.spellingOf(before - 1)))
      break;
  }
  begin = in.afterDirectives(begin);
  while (in.is(begin, "template")) {
    const auto close = in.closeOfAngle(begin + 1, name);
    if (!close)
      return std::nullopt;
    begin = in.afterDirectives(*close + 1);
  }
  while (in.is(begin, tok::l_square) && in.is(begin + 1, tok::l_square))
    begin = in.afterDirectives(in.closeOf(begin) + 1);
  if (in.is(begin, "extern") && in.is(begin + 1, tok::string_literal))
    begin += 2;
  return begin <= name ? std::optional(begin) : std::nullopt;
}

/// "solve" of "math::solve<float>".
StringRef lastName(StringRef name) {
  name = name.take_until([](char c) { return c == '<' || c == '('; });
  const size_t colons = name.rfind("::");
  return colons == StringRef::npos ? name : name.substr(colons + 2);
}

} // namespace

std::optional<std::string> withFunctionKept(StringRef text, StringRef name,
                                            const Place &inside,
                                            StringRef directory) {
  const TokenText in(text);
  const SourceLine line(text, inside, directory);
  const StringRef word = lastName(name);
  std::optional<std::pair<unsigned, unsigned>> found; // its begin and its name
  for (unsigned at = 0; at < in.tokens.size(); ++at) {
    if (!in.isName(at) || !in.is(at, word) || !in.is(at + 1, tok::l_paren))
      continue;
    const std::optional<unsigned> body = bodyBehind(in, in.closeOf(at + 1));
    if (!body ||
        !line.isIn(in.beginOf(*body), in.endOf(in.closeOf(*body))))
      continue;
    const std::optional<unsigned> begin = beginOf(in, at);
    if (!begin || found)
      return std::nullopt;
    found = {*begin, at};
  }
  if (!found)
    return std::nullopt;
  std::string result;
  size_t done = 0;
  bool isReplaced = false;
  const auto put = [&](size_t from, size_t to, StringRef instead) {
    result += (text.slice(done, from) + instead).str();
    done = to;
  };
  for (unsigned at = found->first; at < found->second; ++at)
    if (in.is(at, tok::raw_identifier) &&
        in.spellingOf(at).trim('_') == "always_inline") {
      put(in.beginOf(at), in.endOf(at), "noinline");
      isReplaced = true;
    }
  if (!isReplaced) {
    const size_t begin = in.beginOf(found->first);
    put(begin, begin, "__attribute__((noinline)) ");
  }
  return result + text.substr(done).str();
}

} // namespace warplint
