// Edits within statements and parameter lists.
#include "fixes/edits.h"
#include "fixes/source_tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace warplint {

std::vector<Edit> floatLiteral(const Fix &fix, const SourceTokens &tokens) {
  const std::optional<unsigned> inside = tokens.at(fix.at);
  if (!inside)
    return {};
  auto ends = [&](unsigned at) {
    return tokens.is(at, ";") || tokens.is(at, "{") || tokens.is(at, "}") ||
           tokens.isDirective(at);
  };
  unsigned first = *inside, last = *inside;
  while (first && !ends(first - 1))
    --first;
  while (last < tokens.size() && !ends(last))
    ++last;
  std::vector<Edit> edits;
  for (unsigned i = first; i < last; ++i)
    if (tokens[i].kind == clang::tok::numeric_constant &&
        tokens.is(i, fix.name))
      edits.push_back({tokens.place(tokens[i].end), tokens.place(tokens[i].end),
                       tokens[i].end, 0, "f"});
  return edits;
}

std::vector<Edit> restrictPointers(const Fix &fix, const SourceTokens &tokens) {
  const std::optional<unsigned> kernel = tokens.at(fix.at);
  const std::optional<unsigned> close = kernel && tokens.is(*kernel + 1, "(")
                                            ? tokens.closeOf(*kernel + 1)
                                            : std::nullopt;
  if (!close)
    return {};
  SmallVector<StringRef> names;
  StringRef(fix.name).split(names, ", ");
  std::vector<Edit> edits;
  for (unsigned i = *kernel + 2; i < *close; ++i) {
    const bool isName =
        tokens.is(i + 1, ",") || tokens.is(i + 1, ")") || tokens.is(i + 1, "=");
    if (!isName || !is_contained(names, tokens.textOf(i)))
      continue;
    if (!tokens.is(i - 1, "*"))
      return {};
    edits.push_back(insert(tokens, i, "__restrict__ "));
  }
  return edits.size() == names.size() ? edits : std::vector<Edit>();
}

} // namespace warplint
