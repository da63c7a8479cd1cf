#include "findings/allowances.h"
#include "base/allowance_marker.h"
#include "base/suggest.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace warplint {

namespace {

/// Sets the lines that the comment applies to, by its position.
void setScope(const SourceComment &comment, const SourceText &text,
              Allowance &allowance) {
  const StringRef code = text.code();
  const unsigned line = text.lineOf(comment.begin);
  const size_t start = text.startOf(line);
  allowance.begin = comment.begin;
  allowance.first = allowance.last = line;
  allowance.means = start;
  if (!code.slice(start, comment.begin).trim().empty())
    return;
  const size_t next = code.find_first_not_of(" \t\r\n\f\v", comment.end);
  if (next == StringRef::npos)
    return;
  allowance.means = next;
  allowance.first = text.lineOf(next);
  allowance.last =
      text.lineOf(std::min(code.find_first_of(";{}", next), code.size() - 1));
}

/// "why" of ") - why */".
StringRef reasonOf(StringRef rest) {
  rest = rest.split('\n').first;
  rest = rest.take_front(rest.find(allowanceMarker)).rtrim();
  rest.consume_back("*/");
  // Keeps a dash that is not ASCII.
  return rest.rtrim(" \t\r\\").ltrim(" \t:-,");
}

/// The name of an allowance in other linters; empty if `word` is no such
/// name.
StringRef meantBy(StringRef word) {
  const std::string lower = word.lower();
  for (StringRef next :
       {"allow-next-line", "allow-nextline", "allow-line", "ignore-next-line",
        "ignore-line", "disable-next-line", "disable-line", "nolintnextline"})
    if (lower == next)
      return "'allow(ID) REASON', at the end of the line or above it";
  for (StringRef file : {"ignore-file", "disable-file", "skip-file"})
    if (lower == file)
      return "'allow-file(ID) REASON'";
  for (StringRef other : {"ignore", "disable", "suppress", "nolint", "skip",
                          "off", "noqa", "expect", "permit", "silence"})
    if (lower == other)
      return "'allow(ID) REASON'";
  return "";
}

/// Reads the text after the marker; false if it contains no allowance.
bool readOne(StringRef rest, const Allowance &at,
             std::vector<Allowance> &found) {
  rest = rest.ltrim(" \t");
  const StringRef word =
      rest.take_while([](char c) { return llvm::isAlnum(c) || c == '-'; });
  rest = rest.drop_front(word.size()).ltrim(" \t");
  Allowance allowance = at;
  allowance.ofFile = word == "allow-file";
  const bool isOpen = rest.consume_front("(");
  auto wrong = [&](const llvm::Twine &why) {
    allowance.wrong = why.str();
    found.push_back(allowance);
    return true;
  };
  if (word != "allow" && word != "allow-file") {
    // Without brackets, a sentence may begin with such a word.
    const bool isWhole = isOpen || reasonOf(rest).empty();
    if (StringRef meant = meantBy(word); !meant.empty() && isWhole)
      return wrong("'" + word + "' has no meaning here; did you mean " + meant +
                   "?");
    if (!isOpen || word.empty())
      return false;
    const std::string near = nearest(word, {"allow", "allow-file"});
    return !near.empty() && wrong("'" + word + "' has no meaning here; did " +
                                  "you mean '" + near + "'?");
  }
  const size_t close = rest.split('\n').first.find(')');
  if (!isOpen || close == StringRef::npos)
    return wrong("'" + word + "' takes the ids of checks in brackets");
  llvm::SmallVector<StringRef, 2> ids;
  rest.take_front(close).split(ids, ',');
  allowance.reason = reasonOf(rest.drop_front(close + 1));
  for (StringRef id : ids) {
    allowance.check = id.trim();
    found.push_back(allowance);
  }
  return true;
}

} // namespace

std::vector<Allowance> readAllowances(const std::string &file,
                                      const SourceText &text) {
  std::vector<Allowance> found;
  for (const SourceComment &comment : text.comments())
    for (size_t at = comment.text.find(allowanceMarker); at != StringRef::npos;
         at = comment.text.find(allowanceMarker, at + 1)) {
      Allowance allowance;
      const size_t byte = comment.begin + at;
      allowance.place = {file, text.lineOf(byte), text.columnOf(byte)};
      setScope(comment, text, allowance);
      readOne(comment.text.substr(at + allowanceMarker.size()), allowance,
              found);
    }
  return found;
}

bool isOfKernel(const Allowance &allowance, const SourceText &text,
                const KernelOutline &kernel) {
  if (allowance.ofFile || allowance.place.file != kernel.place.file ||
      kernel.place.line == 0 || kernel.place.line > text.lines())
    return false;
  const StringRef code = text.code();
  const size_t name =
      text.startOf(kernel.place.line) + std::max(kernel.place.column, 1u) - 1;
  if (allowance.begin < name)
    return allowance.means <= name &&
           code.slice(allowance.means, name).find_first_of(";{}") ==
               StringRef::npos;
  StringRef head = code.slice(name, allowance.begin).rtrim(" \t");
  // "{ // warplint: ..."
  head.consume_back("{");
  return head.find_first_of(";{}") == StringRef::npos;
}

} // namespace warplint
