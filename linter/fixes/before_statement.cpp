#include "fixes/before_statement.h"
#include "fixes/edits.h"
#include "fixes/loop_text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

bool isType(StringRef word) {
  return is_contained({"float", "double", "int", "unsigned"}, word);
}

bool mayBeMacro(const SourceTokens &tokens, StringRef name) {
  if (name.size() > 1 && name.upper() == name)
    return true;
  for (unsigned i = 0; i < tokens.size(); ++i) {
    if (!tokens.isDirective(i))
      continue;
    StringRef text = tokens.textOf(i).drop_front().ltrim();
    if (text.consume_front("define") && text.ltrim().consume_front(name))
      return true;
  }
  return false;
}

static bool isHeader(const SourceTokens &tokens, unsigned open) {
  return open && is_contained({"if", "for", "while", "switch", "constexpr"},
                              tokens.textOf(open - 1));
}

/// The first token of the statement around `at`; none in the header of a loop
/// or in a list of values.
static std::optional<unsigned> beginAround(const SourceTokens &tokens,
                                           unsigned at) {
  std::optional<unsigned> branch;
  for (unsigned i = 0; i < at; ++i) {
    if (!tokens.is(i, "(") || !isHeader(tokens, i) || tokens.closeOf(i) <= at)
      continue;
    const bool isOnce = tokens.is(i - 1, "if") || tokens.is(i - 1, "switch");
    if (!isOnce || branch)
      return std::nullopt;
    branch = i - 1;
  }
  if (branch)
    return branch;
  unsigned first = at;
  for (; first; --first) {
    const unsigned before = first - 1;
    if (tokens.isDirective(before) || tokens.is(before, ";"))
      break;
    if (tokens.is(before, "else") || tokens.is(before, "do"))
      break;
    if (auto open = tokens.openOf(before)) {
      if (tokens.is(before, "}") ||
          (tokens.is(before, ")") && isHeader(tokens, *open)))
        break;
      first = *open + 1;
      continue;
    }
    if (tokens.is(before, "{")) {
      if (!before || !(is_contained({")", ";", "{", "}", "else", "do", "const",
                                     "mutable", "noexcept"},
                                    tokens.textOf(before - 1)) ||
                       tokens.isDirective(before - 1)))
        return std::nullopt;
      break;
    }
  }
  return first;
}

std::optional<Around> statementAround(const SourceTokens &tokens, unsigned at) {
  const std::optional<unsigned> first = beginAround(tokens, at);
  if (!first || !*first)
    return std::nullopt;
  const unsigned last = endOfStatement(tokens, *first);
  const std::optional<bool> isAlone = isBareBody(tokens, *first);
  if (last <= at || !isAlone ||
      !(tokens.is(last - 1, ";") || tokens.is(last - 1, "}")))
    return std::nullopt;
  return Around{*first, last, *isAlone};
}

bool mayMove(const SourceTokens &tokens, unsigned first, unsigned last,
             const Around &statement) {
  for (unsigned i = first; i < last; ++i) {
    if (!tokens.isIdentifier(i)) {
      if (tokens[i].kind != clang::tok::numeric_constant &&
          !isType(tokens.textOf(i)) &&
          !is_contained({"+", "-", "*", "/", "%", ".", "->", "::", "[", "]",
                         "(", ")", "&", "|", "^", "~", "<<", ">>"},
                        tokens.textOf(i)))
        return false;
      continue;
    }
    if (tokens.is(i + 1, "(") || mayBeMacro(tokens, tokens.textOf(i)) ||
        isChanged(tokens, statement.first, statement.last, tokens.textOf(i)))
      return false;
  }
  return isAlwaysEvaluated(tokens, statement.first, first);
}

namespace {

/// Where a brace behind the statement may stand: not before a comment on its
/// line.
unsigned endWithComment(StringRef text, unsigned end) {
  const StringRef rest = text.substr(end).take_until(
      [](char c) { return c == '\n' || c == '\r'; });
  return rest.ltrim().starts_with("//") ? end + rest.size() : end;
}

/// The lines, of which the first one's indentation is there, and the beginning
/// of the next one. A directive has no indentation.
std::string joined(ArrayRef<std::string> lines, StringRef indentation) {
  std::string text;
  for (const std::string &line : lines) {
    if (&line != &lines.front() && !StringRef(line).starts_with("#"))
      text += indentation;
    text += line + "\n";
  }
  return text + indentation.str();
}

} // namespace

std::vector<Edit> withLinesBefore(const SourceTokens &tokens,
                                  const Around &statement,
                                  ArrayRef<std::string> lines,
                                  std::vector<Edit> edits, StringRef deeper) {
  const unsigned begin = tokens[statement.first].begin;
  const StringRef own = tokens.indentation(begin);
  if (!statement.isAlone) {
    edits.insert(edits.begin(), insert(tokens, statement.first,
                                       joined(lines, own) + deeper.str()));
    return edits;
  }
  auto [open, close] = bracesAround(
      tokens, statement.first,
      endWithComment(tokens.text(), tokens[statement.last - 1].end));
  edits.push_back(std::move(close));
  if (isBelowHead(tokens, statement.first)) {
    edits.insert(edits.begin(),
                 {std::move(open), insert(tokens, statement.first,
                                          joined(lines, own) + deeper.str())});
    return edits;
  }
  const std::string inner =
      headIndentation(tokens, statement.first).str() +
      indentStep(tokens, statement.first - 1, statement.last);
  // A comment between the two stays before the brace.
  if (!tokens.text().slice(open.offset, begin).trim().empty())
    open = insert(tokens, statement.first, "");
  open.end = tokens.place(begin);
  open.length = begin - open.offset;
  open.text = " {\n" + inner + joined(lines, inner) + deeper.str();
  edits.insert(edits.begin(), std::move(open));
  return edits;
}

} // namespace warplint
