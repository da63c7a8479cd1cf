// An element that a loop writes in each iteration to a local variable that is
// stored once.
#include "fixes/edits.h"
#include "fixes/loop_text.h"
#include "fixes/statement_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace warplint {

namespace {

/// Words with which a loop does more than the tokens show, or is left before
/// the store.
bool isForbidden(StringRef word) {
  return is_contained({"return", "goto", "throw", "asm", "__asm__", "volatile",
                       "continue", "break", "co_yield", "sizeof", "__trap"},
                      word) ||
         word.starts_with("__sync") || word.starts_with("__threadfence") ||
         word.starts_with("atomic") || word.starts_with("__nanosleep");
}

class Writer {
public:
  Writer(const SourceTokens &tokens, const Fix &fix)
      : tokens_(tokens), fix_(fix) {}

  std::vector<Edit> edits();

private:
  bool findElement(unsigned assignment);
  bool findLoop();
  bool isElement(unsigned at) const;
  bool isSafe() const;
  std::string loopText(StringRef variable, StringRef step) const;

  const SourceTokens &tokens_;
  const Fix &fix_;
  TokenRange element_{0, 0};
  ForLoop loop_{0, 0, 0, 0, 0};
};

/// The element is all that stands before the assignment in its statement.
bool Writer::findElement(unsigned assignment) {
  unsigned begin = assignment;
  while (begin) {
    const unsigned before = begin - 1;
    if (auto open = tokens_.openOf(before)) {
      const bool isBlock = tokens_.is(before, "}");
      const bool isHeader =
          tokens_.is(before, ")") && *open && tokens_.is(*open - 1, "for");
      if (isBlock || isHeader)
        break;
      begin = *open;
      continue;
    }
    if (tokens_.is(before, ";") || tokens_.is(before, "{") ||
        tokens_.isDirective(before))
      break;
    begin = before;
  }
  element_ = {begin, assignment};
  if (!element_.size() || !tokens_.isIdentifier(begin))
    return false;
  // `if (x) y[i] += z` and `else y[i] += z` begin otherwise.
  for (unsigned i = begin; i < assignment; ++i) {
    const StringRef word = tokens_.textOf(i);
    if (isAssignment(word) || isStep(word) || word == "," || word == "?" ||
        word == ":" || word == "else" || word == "if" || word == "while" ||
        word == "for" || word == "auto" || word == "do" || word == "case")
      return false;
    // Two words in a row are a declaration.
    if (tokens_.isIdentifier(i) && i + 1 < assignment &&
        tokens_.isIdentifier(i + 1))
      return false;
  }
  return tokens_.is(assignment - 1, "]") || tokens_.is(assignment - 1, ")");
}

bool Writer::findLoop() {
  unsigned close;
  if (element_.first && tokens_.is(element_.first - 1, ")")) {
    close = element_.first - 1;
  } else {
    const std::vector<unsigned> braces = tokens_.bracesAround(element_.first);
    if (braces.empty() || !braces.back() || !tokens_.is(braces.back() - 1, ")"))
      return false;
    close = braces.back() - 1;
  }
  const std::optional<ForLoop> loop = forLoopOf(tokens_, close);
  if (!loop)
    return false;
  loop_ = *loop;
  loop_.end = endOfStatement(tokens_, close + 1);
  return tokens_.is(loop_.end - 1, "}") || tokens_.is(loop_.end - 1, ";");
}

bool Writer::isElement(unsigned at) const {
  for (unsigned i = 0; i < element_.size(); ++i)
    if (!tokens_.is(at + i, tokens_.textOf(element_.first + i)))
      return false;
  return true;
}

bool Writer::isSafe() const {
  const StringRef base = tokens_.textOf(element_.first);
  StringSet<> names;
  for (unsigned i = element_.first; i < element_.last; ++i)
    if (tokens_.isIdentifier(i))
      names.insert(tokens_.textOf(i));
  for (const auto &name : names)
    if (name.getKey() != base &&
        isChanged(tokens_, loop_.keyword, loop_.end, name.getKey()))
      return false;
  for (unsigned i = loop_.keyword; i < loop_.end;) {
    if (tokens_.isDirective(i) || isForbidden(tokens_.textOf(i)))
      return false;
    if (!tokens_.is(i, base)) {
      ++i;
      continue;
    }
    const StringRef before = tokens_.textOf(i - 1);
    const bool isMember = before == "." || before == "->" || before == "::";
    if (i < loop_.close || isMember || !isElement(i))
      return false;
    if (isAddressTaken(tokens_, i))
      return false;
    i += element_.size();
    const StringRef after = tokens_.textOf(i);
    if (after == "[" || after == "(" || after == "->")
      return false; // another element
  }
  return true;
}

/// The loop with the variable for the element, a step further in.
std::string Writer::loopText(StringRef variable, StringRef step) const {
  std::string text;
  unsigned done = tokens_[loop_.keyword].begin;
  for (unsigned i = loop_.keyword; i < loop_.end;) {
    if (!tokens_.is(i, tokens_.textOf(element_.first)) || !isElement(i)) {
      ++i;
      continue;
    }
    text += tokens_.text().slice(done, tokens_[i].begin).str() + variable.str();
    done = tokens_[i + element_.size() - 1].end;
    i += element_.size();
  }
  text += tokens_.text().slice(done, tokens_[loop_.end - 1].end).str();
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n' &&
        text[i + 1] != '\r')
      result += step;
  }
  return result;
}

std::vector<Edit> Writer::edits() {
  const std::optional<unsigned> assignment = tokens_.at(fix_.at);
  if (!assignment || !isAssignment(tokens_.textOf(*assignment)) ||
      !findElement(*assignment) || !findLoop() || !isSafe())
    return {};
  const std::optional<std::string> condition =
      fix_.number ? "" : firstIteration(tokens_, loop_);
  if (!condition)
    return {};
  unsigned begin = loop_.keyword;
  std::string pragma;
  if (begin && tokens_.isDirective(begin - 1)) {
    if (!tokens_.textOf(begin - 1).contains("unroll"))
      return {};
    pragma = tokens_.textOf(--begin).str() + "\n";
  }
  const std::string indent =
      tokens_.indentation(tokens_[loop_.keyword].begin).str();
  const std::string step = indentStep(tokens_, loop_.keyword, loop_.end);
  const std::string inner = indent + step;
  const std::string element =
      tokens_.textOf(element_.first, element_.last).rtrim().str();
  const std::string variable =
      newVariable(tokens_, tokens_.textOf(element_.first));
  // A body without braces must stay one statement, with no 'if' that a
  // following 'else' would belong to.
  const std::optional<bool> isBare = isBareBody(tokens_, begin);
  if (!isBare)
    return {};
  const bool isAlone = *isBare && !condition->empty();
  const bool isBraced = isAlone && isBelowHead(tokens_, begin);
  const bool isInline = isAlone && !isBraced;
  const std::string head = condition->empty() ? "{"
                           : isInline         ? "{ if (" + *condition + ") {"
                                              : "if (" + *condition + ") {";
  std::string text = head + "\n" + inner + "auto " + variable + " = " +
                     element + ";\n" + pragma + inner +
                     loopText(variable, step) + "\n" + inner + element + " = " +
                     variable + ";\n" + indent + (isInline ? "} }" : "}");
  Edit loop = replace(tokens_, begin, loop_.end, std::move(text));
  if (!isBraced)
    return {std::move(loop)};
  auto [open, close] = bracesAround(tokens_, begin, tokens_[loop_.end - 1].end);
  return {std::move(open), std::move(loop), std::move(close)};
}

} // namespace

std::vector<Edit> storeOnce(const Fix &fix, const SourceTokens &tokens) {
  return Writer(tokens, fix).edits();
}

} // namespace warplint
