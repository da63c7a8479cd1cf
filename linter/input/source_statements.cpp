#include "input/source_statements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {

SourceStatements::SourceStatements(StringRef text)
    : text_(text), read_(readStatements(text_)) {
  lines_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n')
      lines_.push_back(i + 1);
}

unsigned SourceStatements::lineOf(size_t byte) const {
  return upper_bound(lines_, byte) - lines_.begin();
}

const SourceStatement *SourceStatements::at(unsigned line,
                                            unsigned column) const {
  if (!line || line > lines_.size())
    return nullptr;
  const size_t begin = lines_[line - 1];
  const size_t end = line < lines_.size() ? lines_[line] : text_.size() + 1;
  const size_t byte = std::min(begin + (column ? column - 1 : 0), end);
  const SourceStatement *found = nullptr, *onLine = nullptr;
  for (const SourceStatement &statement : read_.statements) {
    if (statement.begin >= end)
      break;
    if (statement.begin <= byte && byte < statement.end &&
        (!found ||
         statement.end - statement.begin <= found->end - found->begin))
      found = &statement;
    // A column before the first statement of the line.
    if (!onLine && statement.begin >= begin)
      onLine = &statement;
  }
  const bool isWide = found && found->begin < begin && onLine && column <= 1;
  return found && !isWide ? found : onLine;
}

std::vector<std::string>
SourceStatements::assignedUnder(const SourceStatement &head) const {
  std::vector<std::string> names;
  for (const SourceStatement &statement : read_.statements)
    if (statement.kind == SourceStatement::Assignment &&
        statement.begin >= head.end && statement.begin < head.bodyEnd)
      for (const std::string &name : statement.names)
        if (!is_contained(names, name))
          names.push_back(name);
  return names;
}

const SourceStatement *SourceStatements::loopAround(unsigned line,
                                                    unsigned column) const {
  if (!line || line > lines_.size())
    return nullptr;
  const size_t byte = lines_[line - 1] + (column ? column - 1 : 0);
  const SourceStatement *found = nullptr;
  for (const SourceStatement &statement : read_.statements) {
    if (statement.begin > byte)
      break;
    if (statement.kind == SourceStatement::Loop && statement.bodyEnd > byte)
      found = &statement;
  }
  return found;
}

std::string SourceStatements::typeOf(StringRef name, unsigned line) const {
  std::string type;
  unsigned nearest = 0;
  const auto note = [&](unsigned at, const std::string &found) {
    if (at > line || at < nearest || found.empty())
      return;
    nearest = at;
    type = found;
  };
  if (auto found = read_.arrays.find(name); found != read_.arrays.end())
    for (const ArrayDeclaration &array : found->second)
      note(lineOf(array.begin), array.elementType);
  for (const SourceStatement &statement : read_.statements)
    if (is_contained(statement.names, name))
      note(lineOf(statement), statement.type);
  return type;
}

bool SourceStatements::countsElements(const SourceStatement &loop,
                                      StringRef array) const {
  const auto isPart = [](char c) { return isAlnum(c) || c == '_'; };
  const auto wordAt = [&](StringRef text) { return text.take_while(isPart); };
  StringRef rest = StringRef(text_).slice(loop.end, loop.bodyEnd);
  while (!rest.empty()) {
    const StringRef word = wordAt(rest);
    rest = rest.drop_front(std::max<size_t>(1, word.size()));
    if (word != array)
      continue;
    unsigned depth = 0;
    for (StringRef subscript = rest.ltrim(); !subscript.empty();) {
      const StringRef inside = wordAt(subscript);
      const char c = subscript.front();
      if (!depth && c != '[' && !isSpace(c))
        break;
      if (is_contained(loop.names, inside))
        return true;
      depth += c == '[';
      depth -= c == ']';
      subscript = subscript.drop_front(std::max<size_t>(1, inside.size()));
    }
  }
  return false;
}

std::string SourceStatements::extentsOf(StringRef name, unsigned line) const {
  auto found = read_.arrays.find(name);
  if (found == read_.arrays.end())
    return "";
  std::string text;
  unsigned nearest = 0;
  for (const ArrayDeclaration &array : found->second)
    if (const unsigned at = lineOf(array.begin); at <= line && at >= nearest) {
      nearest = at;
      text = array.extents;
    }
  return text;
}

std::vector<std::string> SourceStatements::parametersAt(unsigned line) const {
  const DefinedFunction *found = nullptr;
  // A `.loc` may name the line of an attribute or of the return type.
  constexpr unsigned longestHead = 6;
  for (const DefinedFunction &function : read_.functions)
    if (const unsigned at = lineOf(function.begin);
        at >= line && at <= line + longestHead &&
        (!found || function.begin < found->begin))
      found = &function;
  return found ? found->parameters : std::vector<std::string>();
}

} // namespace warplint
