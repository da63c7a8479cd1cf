// A call of a power to products, a root or a reciprocal.
#include "fixes/edits.h"
#include "fixes/loop_text.h"
#include "fixes/statement_text.h"
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

bool isType(StringRef word) {
  return is_contained({"float", "double", "int", "unsigned"}, word);
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

/// A macro may be more than one operand, or do something each time.
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

/// The statement around a token.
struct Around {
  unsigned first, last; ///< behind its ';'
  bool isAlone;         ///< the body of an `if` or a loop, without braces
};

/// Returns none if the token is in the header of a loop or a branch, or in a
/// list of values.
std::optional<Around> statementAround(const SourceTokens &tokens, unsigned at) {
  const auto isHeaderOf = [&](unsigned open) {
    return open && is_contained({"if", "for", "while", "switch", "constexpr"},
                                tokens.textOf(open - 1));
  };
  for (unsigned i = 0; i < at; ++i)
    if (tokens.is(i, "(") && tokens.closeOf(i) > at && isHeaderOf(i))
      return std::nullopt;
  unsigned first = at;
  bool isAlone = false;
  for (; first; --first) {
    const unsigned before = first - 1;
    if (tokens.isDirective(before) || tokens.is(before, ";"))
      break;
    if (tokens.is(before, "else") || tokens.is(before, "do")) {
      isAlone = true;
      break;
    }
    if (auto open = tokens.openOf(before)) {
      if (tokens.is(before, "}"))
        break;
      if (tokens.is(before, ")") && isHeaderOf(*open)) {
        isAlone = true;
        break;
      }
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
  const unsigned last = endOfStatement(tokens, first);
  if (!first || last <= at || !tokens.is(last - 1, ";"))
    return std::nullopt;
  return Around{first, last, isAlone};
}

/// Arithmetic of names, members, elements and numbers: it may be computed
/// before its statement, if that changes none of them.
bool mayMove(const SourceTokens &tokens, unsigned first, unsigned last,
             const Around &statement) {
  for (unsigned i = first; i < last; ++i) {
    if (!tokens.isIdentifier(i)) {
      if (tokens[i].kind != clang::tok::numeric_constant &&
          !isType(tokens.textOf(i)) &&
          !is_contained(
              {"+", "-", "*", "/", "%", ".", "->", "::", "[", "]", "(", ")"},
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

/// Where a brace behind the statement may stand: not before a comment on its
/// line.
unsigned endWithComment(StringRef text, unsigned end) {
  const StringRef rest = text.substr(end).take_until(
      [](char c) { return c == '\n' || c == '\r'; });
  return rest.ltrim().starts_with("//") ? end + rest.size() : end;
}

/// Puts a declaration before a statement that is the body of an `if` or a loop,
/// and braces around both.
std::vector<Edit> inBraces(const SourceTokens &tokens, const Around &statement,
                           StringRef declaration, Edit power) {
  const unsigned head = tokens[statement.first - 1].end;
  const unsigned begin = tokens[statement.first].begin;
  const unsigned end =
      endWithComment(tokens.text(), tokens[statement.last - 1].end);
  const std::string outer = headIndentation(tokens, statement.first).str();
  const StringRef gap = tokens.text().slice(head, begin);
  const auto edit = [&](unsigned from, unsigned to, const Twine &text) {
    return Edit{tokens.place(from), tokens.place(to), from, to - from,
                text.str()};
  };
  Edit close = edit(end, end, "\n" + outer + "}");
  if (gap.contains('\n')) {
    const StringRef inner = tokens.indentation(begin);
    return {edit(head, head, " {"), edit(begin, begin, declaration + inner),
            std::move(power), std::move(close)};
  }
  const std::string inner =
      outer + indentStep(tokens, statement.first - 1, statement.last);
  return {edit(gap.trim().empty() ? head : begin, begin,
               " {\n" + inner + declaration + inner),
          std::move(power), std::move(close)};
}

/// Declares a variable for the base before the statement.
std::vector<Edit> withVariable(const SourceTokens &tokens,
                               const Around &statement, StringRef name,
                               StringRef base, Edit power) {
  const std::string declaration =
      "const auto " + name.str() + " = " + base.str() + ";\n";
  if (statement.isAlone)
    return inBraces(tokens, statement, declaration, std::move(power));
  const std::string indent =
      tokens.indentation(tokens[statement.first].begin).str();
  return {insert(tokens, statement.first, declaration + indent), power};
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
    return withVariable(tokens, *statement, base, tokens.textOf(first, last),
                        std::move(power));
  return {std::move(power)};
}

} // namespace warplint
