// Elements that a loop reads in each iteration to local variables that are
// loaded before it.
#include "fixes/edits.h"
#include "fixes/loop_text.h"
#include "fixes/statement_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace warplint {

namespace {

/// Words with which a loop does more than the tokens show, or waits for what
/// other threads write.
bool isForbiddenInLoop(StringRef word) {
  return is_contained({"goto", "asm", "__asm__", "volatile", "co_yield"},
                      word) ||
         word.starts_with("__sync") || word.starts_with("__threadfence") ||
         word.starts_with("__nanosleep") || word.contains("atomic_ref");
}

/// `a[i]`: what the loop reads, and where.
struct Element {
  std::string text;
  std::vector<std::string> words;
  std::vector<std::string> names; ///< whose values choose it
  std::string variable;
  std::vector<unsigned> uses;
};

std::optional<Element> elementOf(StringRef text) {
  Element element{text.str(), {}, {}, "", {}};
  const SourceTokens tokens("", element.text);
  std::string last;
  unsigned depth = 0;
  for (unsigned i = 0; i < tokens.size(); ++i) {
    const StringRef word = tokens.textOf(i);
    if (isAssignment(word) || isStep(word) || word == "," || word == "?")
      return std::nullopt;
    // A call may do something each time.
    if (tokens.isIdentifier(i) && tokens.is(i + 1, "("))
      return std::nullopt;
    if (word == "[" || word == "(")
      ++depth;
    if (word == "]" || word == ")")
      --depth;
    if (tokens.isIdentifier(i) && depth == 0)
      last = word.str();
    const bool isMember =
        i && (tokens.is(i - 1, ".") || tokens.is(i - 1, "->"));
    if (tokens.isIdentifier(i) && !isMember && word != "this")
      element.names.push_back(word.str());
    element.words.push_back(word.str());
  }
  if (element.names.empty())
    return std::nullopt;
  element.variable = last.empty() ? "element" : last;
  return element;
}

class Reader {
public:
  Reader(const SourceTokens &tokens, const Fix &fix)
      : tokens_(tokens), fix_(fix) {}

  std::vector<Edit> edits();

private:
  bool findLoop();
  bool isSafe() const;
  bool findUses(Element &element) const;
  bool isUse(const Element &element, unsigned at) const;
  bool inCondition(unsigned token) const {
    return token >= condition_.first && token < condition_.second;
  }
  bool isPolled(const Element &element) const;
  std::optional<std::string> guard() const;
  bool needsGuard() const;
  std::vector<Edit> inserted(const std::string &guard) const;

  const SourceTokens &tokens_;
  const Fix &fix_;
  unsigned begin_ = 0, keyword_ = 0, end_ = 0; ///< with its pragma; without
  std::pair<unsigned, unsigned> condition_{0, 0};
  std::optional<ForLoop> for_;
  bool isBare_ = false; ///< the body, without braces, of another statement
  std::vector<Element> elements_;
};

bool Reader::findLoop() {
  const std::optional<unsigned> at = tokens_.at(fix_.at);
  if (!at)
    return false;
  begin_ = keyword_ = *at;
  end_ = endOfStatement(tokens_, keyword_);
  if (end_ > tokens_.size() || end_ <= keyword_ + 3)
    return false;
  if (tokens_.is(keyword_, "do")) {
    const std::optional<unsigned> open =
        end_ > 2 ? tokens_.openOf(end_ - 2) : std::nullopt;
    if (!open)
      return false;
    condition_ = {*open + 1, end_ - 2};
  } else {
    const std::optional<unsigned> close = tokens_.closeOf(keyword_ + 1);
    if (!close)
      return false;
    if (tokens_.is(keyword_, "for")) {
      for_ = forLoopOf(tokens_, *close);
      if (!for_)
        return false;
      condition_ = {for_->firstSemicolon + 1, for_->secondSemicolon};
    } else if (tokens_.is(keyword_, "while")) {
      condition_ = {keyword_ + 2, *close};
    } else {
      return false;
    }
  }
  if (begin_ && tokens_.isDirective(begin_ - 1)) {
    const StringRef directive = tokens_.textOf(begin_ - 1);
    if (directive.contains("unroll"))
      --begin_;
    else if (directive.contains("pragma"))
      return false;
  }
  const std::optional<bool> isBare = isBareBody(tokens_, begin_);
  isBare_ = isBare.value_or(false);
  return isBare.has_value();
}

bool Reader::isSafe() const {
  for (unsigned i = keyword_; i < end_; ++i) {
    const StringRef word = tokens_.textOf(i);
    if (isForbiddenInLoop(word) ||
        (tokens_.isDirective(i) && !word.contains("unroll")))
      return false;
    // The result of an atomic may tell that another thread has written.
    if (word.starts_with("atomic") && !tokens_.is(i - 1, ";") &&
        !tokens_.is(i - 1, "{") && !tokens_.is(i - 1, "}") &&
        !tokens_.is(i - 1, ")"))
      return false;
  }
  for (const Element &element : elements_)
    for (const std::string &name : element.names)
      if (isChanged(tokens_, keyword_, end_, name))
        return false;
  return true;
}

bool Reader::isUse(const Element &element, unsigned at) const {
  for (unsigned i = 0; i < element.words.size(); ++i)
    if (!tokens_.is(at + i, element.words[i]))
      return false;
  const StringRef before = tokens_.textOf(at - 1);
  if (before == "." || before == "->" || before == "::")
    return false;
  // `x *turns` is a product.
  if (element.words.front() == "*" || element.words.front() == "(")
    return !tokens_.isIdentifier(at - 1) && before != ")" && before != "]" &&
           tokens_[at - 1].kind != clang::tok::numeric_constant;
  return true;
}

/// Notes each use; false if one of them is more than a read, or none is
/// evaluated in each iteration.
bool Reader::findUses(Element &element) const {
  bool always = false;
  for (unsigned i = keyword_ + 1; i < end_; ++i) {
    if (!isUse(element, i))
      continue;
    const unsigned next = i + element.words.size();
    const StringRef before = tokens_.textOf(i - 1),
                    after = tokens_.textOf(next);
    if (isAssignment(after) || isStep(after) || isStep(before) ||
        isAddressTaken(tokens_, i) || after == "(")
      return false;
    if (after == ".") // of a structure: another element
      continue;
    element.uses.push_back(i);
    const bool inBody = tokens_.is(keyword_, "do") || i >= condition_.second;
    always |= inCondition(i)
                  ? isAlwaysEvaluated(tokens_, keyword_, i)
                  : inBody && isAlwaysEvaluated(
                                  tokens_,
                                  tokens_.is(keyword_, "do")
                                      ? keyword_ + 1
                                      : *tokens_.closeOf(keyword_ + 1) + 1,
                                  i);
    i = next - 1;
  }
  return always && !element.uses.empty();
}

/// Returns true if the loop ends by nothing but this element: another thread
/// writes it.
bool Reader::isPolled(const Element &element) const {
  if (none_of(element.uses, [&](unsigned use) { return inCondition(use); }))
    return false;
  for (unsigned i = condition_.first; i < condition_.second; ++i)
    if (tokens_.isIdentifier(i) &&
        isChanged(tokens_, keyword_, end_, tokens_.textOf(i)))
      return false;
  return true;
}

/// Returns true if an element may be one that the loop without an iteration
/// does not read.
bool Reader::needsGuard() const {
  if (fix_.number || tokens_.is(keyword_, "do"))
    return false;
  return any_of(elements_, [&](const Element &element) {
    return none_of(element.uses, [&](unsigned use) {
      return inCondition(use) && isAlwaysEvaluated(tokens_, keyword_, use);
    });
  });
}

/// The condition of the first iteration; none if it does something.
std::optional<std::string> Reader::guard() const {
  const unsigned first = for_ ? keyword_ + 2 : condition_.first;
  for (unsigned i = first; i < condition_.second; ++i) {
    const bool isCall = tokens_.isIdentifier(i) && tokens_.is(i + 1, "(") &&
                        !is_contained({"min", "max", "blockIdx", "threadIdx"},
                                      tokens_.textOf(i));
    if (isCall || isStep(tokens_.textOf(i)))
      return std::nullopt;
  }
  if (for_)
    return firstIteration(tokens_, *for_);
  for (unsigned i = condition_.first; i < condition_.second; ++i)
    if (isAssignment(tokens_.textOf(i)))
      return std::nullopt;
  return tokens_.textOf(condition_.first, condition_.second).str();
}

/// The text before and after the loop, and the indentation within it.
std::vector<Edit> Reader::inserted(const std::string &guard) const {
  auto at = [&](unsigned offset, std::string text) {
    const Place place = tokens_.place(offset);
    return Edit{place, place, offset, 0, std::move(text)};
  };
  const std::string indent = tokens_.indentation(tokens_[keyword_].begin).str();
  const std::string step = indentStep(tokens_, keyword_, end_);
  // A body without braces must stay one statement, with no 'if' that a
  // following 'else' would belong to; after a label no variable may begin.
  const bool isLabelled = begin_ && tokens_.is(begin_ - 1, ":");
  const bool isBraced = isBare_ && isBelowHead(tokens_, begin_);
  const bool isInline = isLabelled || (isBare_ && !isBraced);
  const bool hasBlock = isInline || !guard.empty();
  const std::string inner = hasBlock ? indent + step : indent;
  std::string head = guard.empty() ? "" : "if (" + guard + ") {";
  if (isInline)
    head = "{" + std::string(guard.empty() ? "" : " ") + head;
  std::string text = hasBlock ? head + "\n" : "";
  for (const Element &element : elements_)
    text += (hasBlock || &element != &elements_.front() ? inner : "") +
            "const auto " + element.variable + " = " + element.text + ";\n";
  const unsigned begin = tokens_[begin_].begin;
  // A directive keeps its own indentation, which may be none.
  const bool hasPragma = begin_ != keyword_;
  const StringRef own = tokens_.indentation(begin);
  if (hasPragma && own.size() < indent.size())
    text = indent.substr(own.size()) + text + own.str();
  else
    text += inner;
  std::vector<Edit> edits = {at(begin, std::move(text))};
  const unsigned end = tokens_[end_ - 1].end;
  std::optional<Braces> braces;
  if (isBraced) {
    braces = bracesAround(tokens_, begin_, end);
    edits.insert(edits.begin(), braces->open);
  }
  if (!hasBlock) {
    if (braces)
      edits.push_back(braces->close);
    return edits;
  }
  const StringRef source = tokens_.text();
  for (unsigned i = begin; i + 1 < end; ++i)
    if (source[i] == '\n' && source[i + 1] != '\n' && source[i + 1] != '\r' &&
        source[i + 1] != '#')
      edits.push_back(at(i + 1, step));
  edits.push_back(at(end, "\n" + indent +
                              (isInline && !guard.empty() ? "} }" : "}") +
                              (braces ? braces->close.text : "")));
  return edits;
}

std::vector<Edit> Reader::edits() {
  if (!findLoop())
    return {};
  SmallVector<StringRef> texts;
  StringRef(fix_.name).split(texts, "; ");
  std::vector<std::string> taken;
  for (StringRef text : texts) {
    std::optional<Element> element = elementOf(text);
    if (!element || !findUses(*element) || isPolled(*element))
      return {};
    element->variable = newVariable(tokens_, element->variable, taken);
    taken.push_back(element->variable);
    elements_.push_back(std::move(*element));
  }
  if (!isSafe())
    return {};
  const std::optional<std::string> condition =
      needsGuard() ? guard() : std::string();
  if (!condition)
    return {};
  std::vector<Edit> edits = inserted(*condition);
  for (const Element &element : elements_)
    for (unsigned use : element.uses)
      edits.push_back(
          replace(tokens_, use, use + element.words.size(), element.variable));
  stable_sort(edits, [](const Edit &a, const Edit &b) {
    return std::pair(a.offset, a.length) < std::pair(b.offset, b.length);
  });
  for (size_t i = 1; i < edits.size(); ++i)
    if (edits[i - 1].offset + edits[i - 1].length > edits[i].offset)
      return {}; // one element is part of another one
  return edits;
}

} // namespace

std::vector<Edit> loadOnce(const Fix &fix, const SourceTokens &tokens) {
  return Reader(tokens, fix).edits();
}

} // namespace warplint
