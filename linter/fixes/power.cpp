// A call of a power to products, a root or a reciprocal.
#include "fixes/before_statement.h"
#include "fixes/edits.h"
#include "fixes/loop_text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

namespace {

/// `pow(base, exponent)`, as token numbers.
struct Call {
  unsigned first; ///< of "std::pow" too
  unsigned open, comma, close;
};

std::optional<Call> callAt(const SourceTokens &tokens, unsigned first) {
  unsigned name = first;
  while (tokens.is(name, "::") ||
         (tokens.isIdentifier(name) && tokens.is(name + 1, "::")))
    ++name;
  if (!is_contained({"pow", "powf", "__powf", "powif", "powi"},
                    name < tokens.size() ? tokens.textOf(name) : ""))
    return std::nullopt;
  const std::optional<unsigned> close =
      tokens.is(name + 1, "(") ? tokens.closeOf(name + 1) : std::nullopt;
  if (!close)
    return std::nullopt;
  std::vector<unsigned> commas;
  for (unsigned i = name + 2; i < *close; ++i) {
    if (tokens.is(i, ","))
      commas.push_back(i);
    if (tokens.isDirective(i))
      return std::nullopt;
    if (auto inner = tokens.closeOf(i))
      i = *inner;
  }
  if (commas.size() != 1)
    return std::nullopt;
  return Call{first, name + 1, commas[0], *close};
}

/// Numbers, and casts of them: its value is the same in every instance of a
/// template.
bool isLiteral(const SourceTokens &tokens, unsigned first, unsigned last) {
  bool hasNumber = false;
  for (unsigned i = first; i < last; ++i) {
    const StringRef word = tokens.textOf(i);
    if (tokens[i].kind == clang::tok::numeric_constant) {
      hasNumber = true;
      continue;
    }
    if (is_contained({"-", "+", "/", "(", ")", "<", ">", "static_cast"}, word))
      continue;
    // `T(2)`, `(T)2` and `static_cast<T>(2)`; a lone name may be a variable.
    const bool isCast =
        tokens.isIdentifier(i) &&
        (tokens.is(i + 1, "(") || (tokens.is(i - 1, "<") && i > first) ||
         (tokens.is(i - 1, "(") && i > first && tokens.is(i + 1, ")") &&
          i + 2 < last));
    if (!isCast && !isType(word))
      return false;
  }
  return hasNumber;
}

/// The tokens of a subscript that has the same value each time: no call, no
/// assignment.
bool isPlainIndex(const SourceTokens &tokens, unsigned first, unsigned last) {
  for (unsigned i = first; i < last; ++i) {
    const bool isOperand = tokens.isIdentifier(i) ||
                           tokens[i].kind == clang::tok::numeric_constant;
    if (isOperand ? tokens.is(i + 1, "(")
                  : !is_contained({"+", "-", "*", "/", "%", ".", "->",
                                   "::", "[", "]", "(", ")"},
                                  tokens.textOf(i)))
      return false;
  }
  return true;
}

/// A name, a member or an element, cast or not: it may be evaluated several
/// times.
bool isPlain(const SourceTokens &tokens, unsigned first, unsigned last) {
  const bool isCast = tokens.is(first, "(") && tokens.isIdentifier(first + 1) &&
                      tokens.is(first + 2, ")") && first + 3 < last;
  if (isCast)
    first += 3;
  // `double(x)`
  else if (isType(tokens.textOf(first)) && tokens.is(first + 1, "(") &&
           tokens.closeOf(first + 1) == last - 1) {
    first += 2;
    --last;
  }
  if (first >= last || !tokens.isIdentifier(first) ||
      mayBeMacro(tokens, tokens.textOf(first)))
    return false;
  for (unsigned i = first + 1; i < last;) {
    const bool isMember =
        tokens.is(i, ".") || tokens.is(i, "->") || tokens.is(i, "::");
    if (isMember && i + 1 < last && tokens.isIdentifier(i + 1)) {
      i += 2;
      continue;
    }
    const std::optional<unsigned> close =
        tokens.is(i, "[") ? tokens.closeOf(i) : std::nullopt;
    if (!close || !isPlainIndex(tokens, i + 1, *close))
      return false;
    i = *close + 1;
  }
  return true;
}

/// Returns true if a product or a quotient may follow the token as it is.
bool mayPrecede(const SourceTokens &tokens, unsigned at) {
  const StringRef word = tokens.textOf(at);
  return tokens.isDirective(at) || word.ends_with("=") ||
         is_contained({"(", ",", "return", "{", "}", ";", "?", ":", "<", ">",
                       "+", "-", "&&", "||", "[", "<<"},
                      word);
}

} // namespace

std::vector<Edit> replacePower(const Fix &fix, const SourceTokens &tokens) {
  const std::optional<unsigned> at = tokens.at(fix.at);
  const std::optional<Call> call = at ? callAt(tokens, *at) : std::nullopt;
  if (!call || !isLiteral(tokens, call->comma + 1, call->close))
    return {};
  unsigned first = call->open + 1, last = call->comma;
  while (last > first + 2 && tokens.is(first, "(") &&
         tokens.closeOf(first) == last - 1) {
    ++first;
    --last;
  }
  if (first >= last)
    return {};
  const bool plain = isPlain(tokens, first, last);
  const StringRef form = fix.name;
  std::string base = tokens.textOf(first, last).str();
  std::optional<Around> statement;
  if (!plain && form.count('@') > 1) {
    statement = statementAround(tokens, call->first);
    if (!statement || !mayMove(tokens, first, last, *statement))
      return {};
    base = newVariable(tokens, "base");
  }
  std::string text;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '@') {
      text += form[i];
      continue;
    }
    const bool isAlone =
        i && form[i - 1] == '(' && form.substr(i + 1, 1) == ")";
    text += plain || statement || isAlone ? base : "(" + base + ")";
  }
  // A call of a root is an operand; a product or a quotient may not be one.
  const bool isCall = form.starts_with("sqrt") || form.starts_with("rsqrt");
  if (!isCall && call->first && !mayPrecede(tokens, call->first - 1))
    text = "(" + text + ")";
  Edit power = replace(tokens, call->first, call->close + 1, std::move(text));
  if (statement)
    return withLinesBefore(
        tokens, *statement,
        {"const auto " + base + " = " + tokens.textOf(first, last).str() + ";"},
        {std::move(power)});
  return {std::move(power)};
}

} // namespace warplint
