#include "lsp/places.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace warplint {

/// The length of the word, operator or character at the beginning of `text`.
static size_t tokenSize(StringRef text) {
  auto isOfWord = [](char c) { return isAlnum(c) || c == '_'; };
  auto isOfOperator = [](char c) {
    return StringRef("=+-*/%&|^<>!").contains(c);
  };
  if (size_t word = text.take_while(isOfWord).size())
    return word;
  if (size_t op = text.take_while(isOfOperator).size())
    return op;
  size_t character = text.empty() ? 0 : 1;
  while (character < text.size() && (text[character] & 0xC0) == 0x80)
    ++character;
  return character;
}

lsp::Range EditorPlaces::rangeFrom(const Place &place, size_t bytes) {
  auto position = [&](unsigned column) {
    return lsp::Position(
        int(place.line) - 1,
        int(lines_.utf16Column(place.file, place.line, column)) - 1);
  };
  return {position(place.column), position(place.column + bytes)};
}

lsp::Range EditorPlaces::range(const Place &place, StringRef text) {
  if (place.line == 0)
    return lsp::Position(0, 0);
  StringRef line = lines_.line(place.file, place.line).value_or("");
  if (place.column == 0)
    return rangeFrom({place.file, place.line, 1}, line.size());
  StringRef rest = line.substr(place.column - 1);
  const bool isThere = !text.empty() && rest.starts_with(text);
  return rangeFrom(place, isThere ? text.size() : tokenSize(rest));
}

lsp::Range EditorPlaces::rangeOf(const Place &place, StringRef text) {
  const StringRef line = lines_.line(place.file, place.line).value_or("");
  auto distance = [&](size_t at) {
    return std::max(at + 1, size_t(place.column)) -
           std::min(at + 1, size_t(place.column));
  };
  size_t nearest = StringRef::npos;
  for (size_t at = text.empty() ? StringRef::npos : line.find(text);
       at != StringRef::npos; at = line.find(text, at + 1))
    if (nearest == StringRef::npos || distance(at) < distance(nearest))
      nearest = at;
  if (nearest == StringRef::npos)
    return range(place);
  return rangeFrom({place.file, place.line, unsigned(nearest) + 1},
                   text.size());
}

lsp::Location EditorPlaces::location(const Place &place) {
  auto uri = lsp::URIForFile::fromFile(place.file);
  if (!uri) {
    consumeError(uri.takeError());
    return {};
  }
  return {*uri, range(place)};
}

} // namespace warplint
