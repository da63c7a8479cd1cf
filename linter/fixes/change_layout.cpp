// Edits of the layout in the types of Views.
#include "fixes/edits.h"
#include "fixes/source_tokens.h"
#include "model/model.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

namespace {

/// The ends of the template arguments of which the first begins at `first`.
/// Empty if the text has none.
std::vector<unsigned> endsOfArguments(const SourceTokens &tokens,
                                      unsigned first) {
  std::vector<unsigned> ends;
  unsigned depth = 1;
  for (unsigned i = first; i < tokens.size(); ++i) {
    if (tokens.is(i, ";") || tokens.is(i, "{") || tokens.isDirective(i))
      return {};
    if (tokens.is(i, "<"))
      ++depth;
    const unsigned closed = tokens.is(i, ">") ? 1 : tokens.is(i, ">>") ? 2 : 0;
    if (closed >= depth) {
      ends.push_back(i);
      return ends;
    }
    depth -= closed;
    if (depth == 1 && tokens.is(i, ","))
      ends.push_back(i);
    if (auto close = tokens.closeOf(i))
      i = *close;
  }
  return {};
}

std::optional<Edit> editAt(const Place &place, StringRef layout,
                           const SourceTokens &tokens) {
  const std::optional<unsigned> first = tokens.at(place);
  const std::vector<unsigned> ends =
      first ? endsOfArguments(tokens, *first) : std::vector<unsigned>();
  if (ends.empty() || ends.front() == *first)
    return std::nullopt;
  const StringRef own =
      layout.rsplit("::").second.empty() ? layout : layout.rsplit("::").second;
  const std::string old = otherLayout(own);
  for (unsigned end : ends)
    if (tokens.is(end - 1, old))
      return replace(tokens, end - 1, end, own.str());
  const unsigned behind = tokens[ends.front() - 1].end;
  return Edit{tokens.place(behind), tokens.place(behind), behind, 0,
              (", " + layout).str()};
}

} // namespace

std::vector<Edit> changeLayout(const Fix &fix, const SourceTokens &tokens) {
  std::vector<Place> places = fix.also;
  places.push_back(fix.at);
  sort(places);
  std::vector<Edit> edits;
  for (const Place &place : places) {
    const std::optional<Edit> edit = place.file == fix.at.file
                                         ? editAt(place, fix.name, tokens)
                                         : std::nullopt;
    if (!edit)
      return {};
    edits.push_back(*edit);
  }
  return edits;
}

} // namespace warplint
