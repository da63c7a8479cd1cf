// Elements of a local array whose index is data to loops over all elements that
// choose the one, so that the array can stay in registers.
#include "fixes/before_statement.h"
#include "fixes/edits.h"
#include "fixes/loop_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

using namespace llvm;

namespace warplint {

namespace {

/// `t[i]`, as token numbers.
struct Use {
  unsigned first, close;
};

/// The uses of one statement.
struct Chosen {
  Around statement;
  std::vector<Use> reads;
  std::optional<Use> written; ///< what the whole statement changes
};

class Selector {
public:
  Selector(const SourceTokens &tokens, const Fix &fix)
      : tokens_(tokens), fix_(fix) {}

  std::vector<Edit> edits();

private:
  std::optional<unsigned> declaration() const;
  bool findUses();
  bool add(const Use &use);
  std::string textOf(const Use &use) const {
    return tokens_.textOf(use.first, use.close + 1).str();
  }
  std::string indexOf(const Use &use) const {
    return tokens_.textOf(use.first + 2, use.close).str();
  }
  std::string name(const Twine &base) {
    names_.push_back(newName(tokens_, base.str(), names_));
    return names_.back();
  }
  std::string loop(unsigned from, StringRef counter) const;
  std::vector<Edit> editsOf(const Chosen &chosen);

  const SourceTokens &tokens_;
  const Fix &fix_;
  std::string array_;
  std::map<unsigned, Chosen> statements_; ///< by their first tokens
  std::vector<std::string> names_;        ///< that are new
};

/// Notes a use, unless the statement does more with it than the tokens show.
bool Selector::add(const Use &use) {
  const std::optional<Around> statement = statementAround(tokens_, use.first);
  if (!statement || !mayMove(tokens_, use.first + 2, use.close, *statement))
    return false;
  Chosen &chosen =
      statements_.try_emplace(statement->first, Chosen{*statement, {}, {}})
          .first->second;
  const StringRef before = tokens_.textOf(use.first - 1),
                  after = tokens_.textOf(use.close + 1);
  const bool isStepped = isStep(before) || isStep(after);
  if (isStepped || isAssignment(after)) {
    // The whole statement is `t[i] = x;`, `++t[i];` or `t[i]++;`.
    const bool isFirst = use.first == statement->first + isStep(before);
    const bool isLast =
        !isStepped || use.close + 2 + isStep(after) == statement->last;
    if (!isFirst || !isLast || chosen.written)
      return false;
    chosen.written = use;
    return true;
  }
  if (isAddressTaken(tokens_, use.first) ||
      is_contained({".", "->", "[", "("}, after))
    return false;
  chosen.reads.push_back(use);
  return true;
}

/// The name in the declaration, of which the line is known.
std::optional<unsigned> Selector::declaration() const {
  std::optional<unsigned> found;
  for (unsigned i = 0; i < tokens_.size(); ++i) {
    if (!tokens_.is(i, array_) || !tokens_.is(i + 1, "[") ||
        tokens_.place(tokens_[i].begin).line != fix_.at.line)
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

bool Selector::findUses() {
  array_ = StringRef(fix_.name).split('[').first.str();
  const std::optional<unsigned> declared = declaration();
  const std::vector<unsigned> around =
      declared ? tokens_.bracesAround(*declared) : std::vector<unsigned>();
  if (around.empty())
    return false;
  SmallVector<StringRef> texts;
  StringRef(fix_.name).split(texts, "; ");
  const unsigned end = tokens_.closeOf(around.back()).value_or(0);
  for (unsigned i = *declared + 1; i < end; ++i) {
    const bool isMember = tokens_.is(i - 1, ".") || tokens_.is(i - 1, "->");
    if (!tokens_.is(i, array_) || isMember || !tokens_.is(i + 1, "["))
      continue;
    const std::optional<unsigned> close = tokens_.closeOf(i + 1);
    if (!close)
      return false;
    const Use use{i, *close};
    if (is_contained(texts, textOf(use)) && !add(use))
      return false;
  }
  return !statements_.empty();
}

std::string Selector::loop(unsigned from, StringRef counter) const {
  const std::string c = counter.str();
  return "for (int " + c + " = " + std::to_string(from) + "; " + c + " < " +
         std::to_string(fix_.number) + "; ++" + c + ")";
}

std::vector<Edit> Selector::editsOf(const Chosen &chosen) {
  const unsigned first = chosen.statement.first;
  const std::string step = indentStep(tokens_, first, chosen.statement.last);
  std::vector<std::string> lines;
  std::vector<Edit> edits;
  std::map<std::string, std::string> values; // by index
  const std::string counter = newName(tokens_, "element");
  for (const Use &use : chosen.reads) {
    std::string &value = values[indexOf(use)];
    if (value.empty()) {
      const std::string index = name(array_ + "_index");
      value = name(array_ + "_value");
      lines.insert(
          lines.end(),
          {"const auto " + index + " = " + indexOf(use) + ";",
           "auto " + value + " = " + array_ + "[0];", "#pragma unroll",
           loop(1, counter), step + "if (" + counter + " == " + index + ")",
           step + step + value + " = " + array_ + "[" + counter + "];"});
    }
    edits.push_back(replace(tokens_, use.first, use.close + 1, value));
  }
  std::string deeper;
  if (const std::optional<Use> &use = chosen.written) {
    const std::string index = name(array_ + "_index");
    lines.insert(lines.end(),
                 {"const auto " + index + " = " + indexOf(*use) + ";",
                  "#pragma unroll", loop(0, counter),
                  step + "if (" + counter + " == " + index + ")"});
    deeper = step + step;
    edits.push_back(replace(tokens_, use->first + 2, use->close, counter));
  }
  sort(edits, [](const Edit &a, const Edit &b) { return a.offset < b.offset; });
  return withLinesBefore(tokens_, chosen.statement, lines, std::move(edits),
                         deeper);
}

std::vector<Edit> Selector::edits() {
  if (!findUses())
    return {};
  std::vector<Edit> all;
  for (const auto &[_, chosen] : statements_)
    append_range(all, editsOf(chosen));
  // A branch is around the statements of its sides.
  stable_sort(all,
              [](const Edit &a, const Edit &b) { return a.offset < b.offset; });
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i - 1].offset + all[i - 1].length > all[i].offset)
      return {}; // one use is in the index of another one
  return all;
}

} // namespace

std::vector<Edit> selectElement(const Fix &fix, const SourceTokens &tokens) {
  return Selector(tokens, fix).edits();
}

} // namespace warplint
