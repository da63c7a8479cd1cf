#include "findings/statements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace warplint {
namespace {

/// The length of the comment, string or preprocessor line at the start of
/// `rest`; 0 if there is none.
size_t commentLength(StringRef rest) {
  if (rest.starts_with("//"))
    return std::min(rest.find('\n'), rest.size());
  if (rest.starts_with("/*")) {
    size_t end = rest.find("*/", 2);
    return end == StringRef::npos ? rest.size() : end + 2;
  }
  return 0;
}

size_t quotedLength(StringRef rest) {
  const char quote = rest.front();
  if (quote != '"' && quote != '\'')
    return 0;
  for (size_t i = 1; i < rest.size() && rest[i] != '\n'; ++i) {
    if (rest[i] == '\\')
      ++i;
    else if (rest[i] == quote)
      return i + 1;
  }
  return 1; // not closed on its line: an apostrophe in an #error or in 1'000
}

/// Up to the end of its last line: a backslash continues a line.
size_t directiveLength(StringRef rest) {
  for (size_t end = rest.find('\n'); end != StringRef::npos;
       end = rest.find('\n', end + 1))
    if (!rest.take_front(end).rtrim('\r').ends_with("\\"))
      return end;
  return rest.size();
}

std::string withoutBlanks(StringRef text) {
  std::string kept;
  copy_if(text, std::back_inserter(kept), [](char c) { return !isSpace(c); });
  return kept;
}

} // namespace

std::vector<Statement> statements(StringRef text) {
  std::vector<Statement> found;
  std::string current;
  auto close = [&](size_t end) {
    found.push_back({end, std::move(current)});
    current.clear();
  };
  bool atStartOfLine = true;
  for (size_t i = 0; i < text.size();) {
    const StringRef rest = text.substr(i);
    const char c = rest.front();
    if (size_t length = commentLength(rest)) {
      i += length;
    } else if (c == '#' && atStartOfLine) {
      close(i);
      i += directiveLength(rest);
      current = withoutBlanks(text.slice(i - directiveLength(rest), i));
      close(i);
    } else if (size_t quoted = quotedLength(rest)) {
      current += rest.take_front(quoted);
      i += quoted;
      atStartOfLine = false;
    } else {
      ++i;
      if (isSpace(c)) {
        atStartOfLine |= c == '\n';
        continue;
      }
      atStartOfLine = false;
      if (StringRef(";{}").contains(c))
        close(i);
      else
        current += c;
    }
  }
  close(text.size() + 1);
  return found;
}

StatementIndex::StatementIndex(StringRef text) : statements_(statements(text)) {
  for (size_t start = 0; start != StringRef::npos && start < text.size();) {
    lines_.push_back(start);
    size_t end = text.find('\n', start);
    start = end == StringRef::npos ? end : end + 1;
  }
}

StringRef StatementIndex::at(unsigned line, unsigned column) const {
  if (line == 0 || line > lines_.size())
    return "";
  const size_t offset = lines_[line - 1] + (column ? column - 1 : 0);
  auto found = partition_point(statements_, [&](const Statement &statement) {
    return statement.end <= offset;
  });
  return found == statements_.end() ? "" : StringRef(found->text);
}

} // namespace warplint
