// Edits of declarations and of what stands before kernels and loops.
#include "fixes/edits.h"
#include "fixes/source_tokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

namespace {

bool endsStatement(const SourceTokens &tokens, unsigned at) {
  return tokens.is(at, ";") || tokens.is(at, "{") || tokens.is(at, "}") ||
         tokens.isDirective(at);
}

/// The first token of the declaration that `name` is in.
unsigned beginOf(const SourceTokens &tokens, unsigned name) {
  unsigned begin = name;
  while (begin && !endsStatement(tokens, begin - 1))
    --begin;
  return begin;
}

bool anyIs(const SourceTokens &tokens, unsigned first, unsigned last,
           ArrayRef<StringRef> words) {
  for (unsigned i = first; i < last; ++i)
    if (is_contained(words, tokens.textOf(i)))
      return true;
  return false;
}

/// The ';' that ends a declaration of one name; none if it declares several.
std::optional<unsigned> endOfOne(const SourceTokens &tokens, unsigned name) {
  for (unsigned i = name + 1; i < tokens.size(); ++i) {
    if (tokens.is(i, ";"))
      return i;
    if (tokens.is(i, ",") || tokens.isDirective(i))
      return std::nullopt;
    if (auto close = tokens.closeOf(i))
      i = *close;
  }
  return std::nullopt;
}

/// The one declaration of `name` in [first, last) with `word` before the name;
/// none if there are several.
std::optional<unsigned> declared(const SourceTokens &tokens, unsigned first,
                                 unsigned last, StringRef word,
                                 StringRef name) {
  std::optional<unsigned> found;
  for (unsigned i = first; i < last; ++i) {
    if (!tokens.is(i, name) || tokens.is(i + 1, "."))
      continue;
    if (!anyIs(tokens, beginOf(tokens, i), i, {word}))
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

} // namespace

std::vector<Edit> declareConst(const Fix &fix, const SourceTokens &tokens) {
  const std::optional<unsigned> name = tokens.at(fix.at);
  if (!name || !tokens.is(*name, fix.name))
    return {};
  const unsigned begin = beginOf(tokens, *name);
  // A word for the type at least; no parameter, no pointer, not const already.
  if (begin == *name || !tokens.isIdentifier(begin) ||
      anyIs(tokens, begin, *name,
            {"const", "constexpr", "*", "&", "&&", "(", ",", "=", "return",
             "extern", ":", "[", "case"}))
    return {};
  const bool isInitialised = tokens.is(*name + 1, "=") ||
                             tokens.is(*name + 1, "{") ||
                             tokens.is(*name + 1, "(");
  if (!isInitialised || !endOfOne(tokens, *name))
    return {};
  return {insert(tokens, begin, "const ")};
}

/// Returns true if each use of `name` in [first, last) has `subscripts` of
/// them: its address goes nowhere.
static bool isSubscripted(const SourceTokens &tokens, unsigned first,
                          unsigned last, StringRef name, unsigned subscripts) {
  for (unsigned i = first; i < last; ++i) {
    if (!tokens.is(i, name))
      continue;
    unsigned at = i + 1;
    for (unsigned n = 0; n < subscripts; ++n) {
      if (!tokens.is(at, "[") || !tokens.closeOf(at))
        return false;
      at = *tokens.closeOf(at) + 1;
    }
    // '&tile[0][0]' is an address as well.
    if (i &&
        (tokens.is(i - 1, "&") || tokens.is(i - 1, ".") ||
         tokens.is(i - 1, "->")) &&
        !(i > 1 && (tokens.isIdentifier(i - 2) || tokens.is(i - 2, ")") ||
                    tokens.is(i - 2, "]"))))
      return false;
  }
  return true;
}

std::vector<Edit> padRows(const Fix &fix, const SourceTokens &tokens) {
  const std::optional<unsigned> offset = tokens.offset(fix.at);
  if (!offset)
    return {};
  unsigned use = 0;
  while (use < tokens.size() && tokens[use].begin < *offset)
    ++use;
  const std::optional<unsigned> body = tokens.functionAround(use);
  const std::optional<unsigned> end = body ? tokens.closeOf(*body) : body;
  if (!end)
    return {};
  const std::optional<unsigned> name =
      declared(tokens, *body, *end, "__shared__", fix.name);
  if (!name || anyIs(tokens, beginOf(tokens, *name), *name, {"extern"}))
    return {};
  unsigned extents = 0, last = 0, at = *name + 1;
  while (tokens.is(at, "[") && tokens.closeOf(at)) {
    last = at;
    ++extents;
    at = *tokens.closeOf(at) + 1;
  }
  if (extents < 2 || !(tokens.is(at, ";") || tokens.is(at, ",")) ||
      !isSubscripted(tokens, *body, *end, fix.name, extents))
    return {};
  const unsigned close = *tokens.closeOf(last);
  const bool isOne = close == last + 2;
  std::string more = " + " + std::to_string(fix.number);
  if (isOne)
    return {insert(tokens, close, std::move(more))};
  return {insert(tokens, last + 1, "("),
          insert(tokens, close, ")" + std::move(more))};
}

std::vector<Edit> leaveConstantMemory(const Fix &fix,
                                      const SourceTokens &tokens) {
  const std::optional<unsigned> name =
      declared(tokens, 0, tokens.size(), "__constant__", fix.name);
  if (!name)
    return {};
  const unsigned begin = beginOf(tokens, *name);
  const std::optional<unsigned> end = endOfOne(tokens, *name);
  if (!end || anyIs(tokens, begin, *name, {"extern", "template"}))
    return {};
  // The host may write it by its address; then it is not const.
  bool isInitialised = false, hasUse = false;
  for (unsigned i = *name; i < *end; ++i)
    isInitialised |= tokens.is(i, "=") || tokens.is(i, "{");
  for (unsigned i = *end; i < tokens.size(); ++i)
    if (tokens.is(i, fix.name)) {
      // An address of it may lead to a write: cudaGetSymbolAddress, a helper.
      const StringRef around = tokens.textOf(i > 4 ? i - 4 : 0, i);
      hasUse |= around.contains("Symbol") || !tokens.is(i + 1, "[");
    }
  const bool isConst = anyIs(tokens, begin, *name, {"const", "constexpr"});
  for (unsigned i = begin; i < *name; ++i)
    if (tokens.is(i, "__constant__"))
      return {replace(tokens, i, i + 1,
                      isConst || !isInitialised || hasUse
                          ? "__device__"
                          : "__device__ const")};
  return {};
}

std::vector<Edit> limitBlocks(const Fix &fix, const SourceTokens &tokens) {
  const std::optional<unsigned> name = tokens.at(fix.at);
  if (!name)
    return {};
  for (unsigned i = beginOf(tokens, *name); i < *name; ++i) {
    if (!tokens.is(i, "__launch_bounds__") || !tokens.is(i + 1, "("))
      continue;
    const std::optional<unsigned> close = tokens.closeOf(i + 1);
    if (!close)
      return {};
    std::vector<unsigned> commas;
    for (unsigned at = i + 2; at < *close; ++at) {
      if (tokens.is(at, ","))
        commas.push_back(at);
      if (auto inner = tokens.closeOf(at))
        at = *inner;
    }
    if (commas.size() != 1)
      return {};
    return {replace(tokens, commas[0] + 1, *close, std::to_string(fix.number))};
  }
  return {};
}

std::vector<Edit> unrollFully(const Fix &fix, const SourceTokens &tokens) {
  const std::optional<unsigned> loop = tokens.at(fix.at);
  if (!loop || !*loop || !tokens.is(*loop, "for") ||
      !tokens.isDirective(*loop - 1))
    return {};
  StringRef pragma = tokens.textOf(*loop - 1).drop_front().ltrim();
  if (!pragma.consume_front("pragma"))
    return {};
  pragma = pragma.ltrim();
  if (!pragma.starts_with("unroll") && !pragma.starts_with("nounroll"))
    return {};
  return {replace(tokens, *loop - 1, *loop, "#pragma unroll")};
}

} // namespace warplint
