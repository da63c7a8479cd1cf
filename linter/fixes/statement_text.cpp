#include "fixes/statement_text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

namespace {

/// The ')' of what stands in brackets behind `if`, `for` and the like.
std::optional<unsigned> headerEnd(const SourceTokens &tokens, unsigned at) {
  unsigned open = at + 1;
  if (tokens.is(open, "constexpr"))
    ++open;
  return tokens.is(open, "(") ? tokens.closeOf(open) : std::nullopt;
}

bool hasHeader(StringRef word) {
  return is_contained({"if", "for", "while", "switch"}, word);
}

/// Returns true if control may leave tokens [first, last) for somewhere else
/// than their end.
bool mayLeave(const SourceTokens &tokens, unsigned first, unsigned last) {
  for (unsigned i = first; i < last; ++i)
    if (is_contained({"return", "break", "continue", "goto", "throw", "__trap",
                      "co_return"},
                     tokens.textOf(i)))
      return true;
  return false;
}

/// Returns true if nothing before `use` in the expression decides on it.
bool isUnconditional(const SourceTokens &tokens, unsigned first, unsigned use) {
  for (unsigned i = first; i < use; ++i) {
    if (is_contained({"?", "&&", "||", "and", "or", "sizeof", "decltype"},
                     tokens.textOf(i)))
      return false;
    // The body of a lambda.
    if (tokens.is(i, "{") && tokens.closeOf(i) > use)
      return false;
  }
  return true;
}

bool isDirective(const SourceTokens &tokens, unsigned at, StringRef name) {
  return tokens.isDirective(at) &&
         tokens.textOf(at).drop_front().ltrim().starts_with(name);
}

/// The directive `#if` of the `#else` or the `#endif` at `at`.
unsigned conditionalOf(const SourceTokens &tokens, unsigned at) {
  unsigned depth = 1;
  while (at && depth) {
    --at;
    if (isDirective(tokens, at, "endif"))
      ++depth;
    else if (isDirective(tokens, at, "if"))
      --depth;
  }
  return at;
}

/// Returns true if a head may be all that precedes `at`, directives left out.
bool followsHead(const SourceTokens &tokens, unsigned at) {
  if (!at)
    return false;
  const unsigned before = at - 1;
  if (!tokens.isDirective(before))
    return is_contained({")", "else", "do"}, tokens.textOf(before));
  if (isDirective(tokens, before, "el"))
    return followsHead(tokens, conditionalOf(tokens, before));
  return followsHead(tokens, before) ||
         (isDirective(tokens, before, "endif") &&
          followsHead(tokens, conditionalOf(tokens, before)));
}

} // namespace

unsigned endOfStatement(const SourceTokens &tokens, unsigned at) {
  while (at < tokens.size() && tokens.isDirective(at))
    ++at;
  if (at >= tokens.size())
    return tokens.size();
  if (tokens.is(at, "{"))
    return tokens.closeOf(at).value_or(tokens.size() - 1) + 1;
  if (tokens.is(at, "do")) {
    const unsigned condition = endOfStatement(tokens, at + 1);
    const std::optional<unsigned> close = headerEnd(tokens, condition);
    return close ? *close + 2 : tokens.size();
  }
  if (hasHeader(tokens.textOf(at))) {
    const std::optional<unsigned> close = headerEnd(tokens, at);
    if (!close)
      return tokens.size();
    const unsigned end = endOfStatement(tokens, *close + 1);
    return tokens.is(at, "if") && tokens.is(end, "else")
               ? endOfStatement(tokens, end + 1)
               : end;
  }
  for (; at < tokens.size() && !tokens.is(at, ";"); ++at)
    if (auto close = tokens.closeOf(at))
      at = *close;
  return std::min(at + 1, tokens.size());
}

bool isAlwaysEvaluated(const SourceTokens &tokens, unsigned at, unsigned use) {
  while (at < use && tokens.isDirective(at))
    ++at;
  if (tokens.is(at, "{")) {
    const unsigned close = tokens.closeOf(at).value_or(at);
    for (unsigned i = at + 1; i < close;) {
      const unsigned end = endOfStatement(tokens, i);
      if (use < end)
        return isAlwaysEvaluated(tokens, i, use);
      if (mayLeave(tokens, i, end))
        return false;
      i = end;
    }
    return false;
  }
  if (tokens.is(at, "do"))
    return use < endOfStatement(tokens, at + 1) &&
           isAlwaysEvaluated(tokens, at + 1, use);
  if (!hasHeader(tokens.textOf(at)))
    return !tokens.is(at, "case") && !tokens.is(at, "default") &&
           isUnconditional(tokens, at, use);
  const std::optional<unsigned> close = headerEnd(tokens, at);
  if (!close || use > *close)
    return false;
  const unsigned open = *tokens.openOf(*close);
  unsigned first = open + 1, semicolons = 0;
  for (unsigned i = first; i < use; ++i)
    if (tokens.is(i, ";") && tokens.is(at, "for")) {
      ++semicolons;
      first = i + 1;
    }
  return semicolons < 2 && isUnconditional(tokens, first, use);
}

std::optional<bool> isBareBody(const SourceTokens &tokens, unsigned first) {
  const bool isBody = followsHead(tokens, first);
  if (isBody && tokens.isDirective(first - 1))
    return std::nullopt;
  return isBody;
}

bool isBelowHead(const SourceTokens &tokens, unsigned first) {
  return tokens.text()
      .slice(tokens[first - 1].end, tokens[first].begin)
      .contains('\n');
}

StringRef headIndentation(const SourceTokens &tokens, unsigned first) {
  unsigned head = first - 1;
  if (auto open = tokens.openOf(head); open && *open) {
    head = *open - 1;
    if (tokens.is(head, "constexpr") && head)
      --head;
  }
  return tokens.indentation(tokens[head].begin);
}

Braces bracesAround(const SourceTokens &tokens, unsigned first, unsigned end) {
  const unsigned head = tokens[first - 1].end;
  const Place opened = tokens.place(head), closed = tokens.place(end);
  const std::string indent = headIndentation(tokens, first).str();
  return {{opened, opened, head, 0, " {"},
          {closed, closed, end, 0, "\n" + indent + "}"}};
}

} // namespace warplint
