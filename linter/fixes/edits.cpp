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
      shift -= int64_t(*offset) - edit.offset;
  }
  const std::string after = applied(text, edits);
  return SourceTokens(place.file, after).place(*offset + shift);
}

} // namespace warplint
