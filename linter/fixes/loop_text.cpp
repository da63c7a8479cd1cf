#include "fixes/loop_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace warplint {

bool isAssignment(StringRef word) {
  return is_contained(
      {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="},
      word);
}

bool isStep(StringRef word) { return word == "++" || word == "--"; }

std::optional<ForLoop> forLoopOf(const SourceTokens &tokens, unsigned close) {
  const std::optional<unsigned> open = tokens.openOf(close);
  if (!open || !*open || !tokens.is(close, ")") || !tokens.is(*open - 1, "for"))
    return std::nullopt;
  std::vector<unsigned> semicolons;
  for (unsigned i = *open + 1; i < close; ++i)
    if (tokens.is(i, ";"))
      semicolons.push_back(i);
  if (semicolons.size() != 2)
    return std::nullopt;
  return ForLoop{*open - 1, semicolons[0], semicolons[1], close, close + 1};
}

bool isAddressTaken(const SourceTokens &tokens, unsigned at) {
  // Behind an operand, '&' is an operator of two.
  return tokens.is(at - 1, "&") && !tokens.isIdentifier(at - 2) &&
         !tokens.is(at - 2, ")") && !tokens.is(at - 2, "]");
}

bool isChanged(const SourceTokens &tokens, unsigned first, unsigned last,
               StringRef name) {
  for (unsigned i = first; i < last; ++i) {
    if (!tokens.is(i, name))
      continue;
    const StringRef before = i ? tokens.textOf(i - 1) : "",
                    after = tokens.textOf(i + 1);
    if (isAssignment(after) || isStep(after) || isStep(before) ||
        isAddressTaken(tokens, i) || tokens.isIdentifier(i - 1))
      return true;
  }
  return false;
}

std::optional<std::string> firstIteration(const SourceTokens &tokens,
                                          const ForLoop &loop) {
  const unsigned open = loop.keyword + 1;
  const TokenRange first{open + 1, loop.firstSemicolon},
      condition{loop.firstSemicolon + 1, loop.secondSemicolon};
  if (!condition.size())
    return "";
  for (unsigned i = condition.first; i < condition.last; ++i)
    if (isAssignment(tokens.textOf(i)) || isStep(tokens.textOf(i)))
      return std::nullopt;
  if (!first.size())
    return tokens.textOf(condition.first, condition.last).str();
  unsigned equals = first.first;
  while (equals < first.last && !tokens.is(equals, "="))
    ++equals;
  if (equals >= first.last || equals == first.first ||
      !tokens.isIdentifier(equals - 1))
    return std::nullopt;
  const TokenRange type{first.first, equals - 1}, value{equals + 1, first.last};
  const StringRef counter = tokens.textOf(equals - 1);
  for (unsigned i = first.first; i < first.last; ++i)
    if (tokens.is(i, ",") || (i > equals && isAssignment(tokens.textOf(i))))
      return std::nullopt;
  for (unsigned i = type.first; i < type.last; ++i)
    if (tokens.is(i, "*") || tokens.is(i, "&"))
      return std::nullopt;
  std::string begin = tokens.textOf(value.first, value.last).str();
  const StringRef word = tokens.textOf(type.first, type.last);
  const bool isPlain = value.size() == 1 && (word == "int" || !type.size());
  if (type.size() && !isPlain && word != "auto")
    begin = "static_cast<" + word.str() + ">(" + begin + ")";
  else if (!isPlain)
    begin = "(" + begin + ")";
  std::string text;
  unsigned done = tokens[condition.first].begin;
  for (unsigned i = condition.first; i < condition.last; ++i) {
    if (!tokens.is(i, counter) || tokens.is(i - 1, ".") ||
        tokens.is(i - 1, "->") || tokens.is(i - 1, "::"))
      continue;
    text += tokens.text().slice(done, tokens[i].begin).str() + begin;
    done = tokens[i].end;
  }
  return text + tokens.text().slice(done, tokens[condition.last - 1].end).str();
}

std::string newName(const SourceTokens &tokens, StringRef name,
                    ArrayRef<std::string> taken) {
  StringSet<> words;
  for (const std::string &word : taken)
    words.insert(word);
  for (unsigned i = 0; i < tokens.size(); ++i)
    if (tokens.isIdentifier(i))
      words.insert(tokens.textOf(i));
  std::string free = name.str();
  for (unsigned n = 2; words.contains(free); ++n)
    free = name.str() + std::to_string(n);
  return free;
}

std::string newVariable(const SourceTokens &tokens, StringRef name,
                        ArrayRef<std::string> taken) {
  return newName(tokens, name.str() + "_value", taken);
}

std::string indentStep(const SourceTokens &tokens, unsigned first,
                       unsigned last) {
  const StringRef outer = tokens.indentation(tokens[first].begin);
  for (unsigned i = first + 1; i < last; ++i) {
    StringRef inner = tokens.indentation(tokens[i].begin);
    if (inner.size() > outer.size() && inner.consume_front(outer))
      return inner.str();
  }
  return outer.contains('\t') ? "\t" : "  ";
}

} // namespace warplint
