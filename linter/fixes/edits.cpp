#include "fixes/edits.h"
#include "fixes/source_tokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

namespace {

/// A change, and what finds its text. A new change is a row here.
struct Row {
  Change change;
  std::vector<Edit> (*edits)(const Fix &fix, const SourceTokens &tokens);
};

constexpr Row rows[] = {
    {Change::DeclareConst, declareConst},
    {Change::PadRows, padRows},
    {Change::LeaveConstantMemory, leaveConstantMemory},
    {Change::LimitBlocks, limitBlocks},
    {Change::UnrollFully, unrollFully},
    {Change::StoreOnce, storeOnce},
    {Change::FloatLiteral, floatLiteral},
    {Change::Restrict, restrictPointers},
    {Change::ReplacePower, replacePower},
    {Change::LoadOnce, loadOnce},
    {Change::SelectElement, selectElement},
    {Change::OtherLayout, changeLayout},
};

/// Returns true if the line at `offset` ends in a carriage return, or the one
/// before it, if it is the last.
bool endsInReturn(StringRef text, size_t offset) {
  size_t newline = text.find('\n', offset);
  if (newline == StringRef::npos)
    newline = text.rfind('\n');
  return newline != StringRef::npos && text.take_front(newline).ends_with("\r");
}

/// Lines that an edit adds end like the one that they are added to.
void endLikeTheFile(Edit &edit, StringRef text) {
  if (!endsInReturn(text, edit.offset))
    return;
  std::string ended;
  for (char c : edit.text) {
    if (c == '\n' && !StringRef(ended).ends_with("\r"))
      ended += '\r';
    ended += c;
  }
  edit.text = std::move(ended);
}

} // namespace

std::vector<Edit> editsOf(const Fix &fix, StringRef text) {
  const Row *row =
      find_if(rows, [&](const Row &row) { return row.change == fix.change; });
  std::vector<Edit> edits = row->edits(fix, SourceTokens(fix.at.file, text));
  for (Edit &edit : edits)
    endLikeTheFile(edit, text);
  return edits;
}

Edit replace(const SourceTokens &tokens, unsigned first, unsigned last,
             std::string text) {
  const unsigned begin = tokens[first].begin,
                 end = last > first ? tokens[last - 1].end : begin;
  return {tokens.place(begin), tokens.place(end), begin, end - begin,
          std::move(text)};
}

Edit insert(const SourceTokens &tokens, unsigned before, std::string text) {
  return replace(tokens, before, before, std::move(text));
}

std::string applied(StringRef text, ArrayRef<Edit> edits) {
  std::string result;
  size_t done = 0;
  for (const Edit &edit : edits) {
    result += text.slice(done, edit.offset);
    result += edit.text;
    done = edit.offset + edit.length;
  }
  return result + text.substr(done).str();
}

/// Where an offset of `before` is in `after`: at the same token, by the longest
/// sequence of tokens that both have. What has no such token is where the one
/// before it is.
static int64_t movedInside(StringRef before, StringRef after, size_t offset) {
  const std::string old = before.str(), now = after.str();
  const SourceTokens a("", old), b("", now);
  constexpr size_t most = 1 << 22; // pairs of tokens
  if (size_t(a.size()) * b.size() > most)
    return 0;
  auto areSame = [&](unsigned i, unsigned j) {
    return a.textOf(i) == b.textOf(j);
  };
  std::vector<std::vector<unsigned>> longest(
      a.size() + 1, std::vector<unsigned>(b.size() + 1));
  for (unsigned i = a.size(); i-- > 0;)
    for (unsigned j = b.size(); j-- > 0;)
      longest[i][j] = areSame(i, j)
                          ? longest[i + 1][j + 1] + 1
                          : std::max(longest[i + 1][j], longest[i][j + 1]);
  int64_t result = 0;
  for (unsigned i = 0, j = 0;
       i < a.size() && j < b.size() && a[i].begin <= offset;)
    if (areSame(i, j)) {
      result = b[j].begin + std::min<size_t>(offset, a[i].end) - a[i].begin;
      ++i, ++j;
    } else if (longest[i + 1][j] >= longest[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  return result;
}

Place moved(const Place &place, StringRef text, ArrayRef<Edit> edits) {
  if (edits.empty() || edits.front().begin.file != place.file)
    return place;
  const std::optional<unsigned> offset =
      SourceTokens(place.file, text).offset(place);
  if (!offset)
    return place;
  int64_t shift = 0;
  for (const Edit &edit : edits) {
    if (edit.offset + edit.length <= *offset)
      shift += int64_t(edit.text.size()) - edit.length;
    else if (edit.offset < *offset)
      shift += movedInside(text.substr(edit.offset, edit.length), edit.text,
                           *offset - edit.offset) -
               int64_t(*offset - edit.offset);
  }
  const std::string after = applied(text, edits);
  return SourceTokens(place.file, after).place(*offset + shift);
}

} // namespace warplint
