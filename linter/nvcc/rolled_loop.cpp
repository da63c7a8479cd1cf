#include "nvcc/rolled_loop.h"
#include "input/search_flags.h"
#include "source/shorten/token_text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {
namespace {

bool isWordPart(char c) { return isAlnum(c) || c == '_'; }

/// The bytes at which a loop's keyword stands in a line, outside of literals.
/// The `while` behind the body of a `do` is one, too: then there are several
/// answers, or the wrong one, which compiles to the same.
SmallVector<size_t> loopsIn(StringRef line) {
  SmallVector<size_t> found;
  for (size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (c == '"' || c == '\'') {
      for (++at; at < line.size() && line[at] != c; ++at)
        at += line[at] == '\\';
      ++at;
      continue;
    }
    if (!isWordPart(c)) {
      ++at;
      continue;
    }
    const StringRef word = line.substr(at).take_while(isWordPart);
    if (word == "for" || word == "while" || word == "do")
      found.push_back(at);
    at += word.size();
  }
  return found;
}

bool isUnrollPragma(StringRef line) {
  line = line.ltrim();
  return line.consume_front("#pragma") &&
         (line.ltrim().starts_with("unroll") ||
          line.ltrim().starts_with("nounroll"));
}

} // namespace

std::optional<std::string> withLoopRolled(StringRef text, const Place &loop,
                                          StringRef directory) {
  const std::string wanted = pathIn(directory, loop.file);
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  bool isInFile = false;
  unsigned number = 0;
  std::optional<std::pair<size_t, size_t>> found; // line and byte
  std::optional<size_t> pragma, pragmaOfLoop;
  for (const auto &[i, line] : enumerate(lines)) {
    if (auto marker =
            line.starts_with("#") ? readLineMarker(line) : std::nullopt) {
      isInFile = pathIn(directory, marker->file) == wanted;
      number = marker->line;
      continue;
    }
    if (isInFile && number == loop.line)
      for (const size_t at : loopsIn(line)) {
        if (found)
          return std::nullopt;
        found = {i, at};
        pragmaOfLoop = pragma;
      }
    ++number;
    if (isUnrollPragma(line))
      pragma = i;
    else if (!line.trim().empty())
      pragma.reset();
  }
  if (!found)
    return std::nullopt;
  std::string result;
  for (const auto &[i, line] : enumerate(lines)) {
    if (i)
      result += '\n';
    if (pragmaOfLoop == i)
      result += "#pragma unroll 1";
    else if (found->first == i && !pragmaOfLoop)
      result += (line.take_front(found->second) + "_Pragma(\"unroll 1\") " +
                 line.drop_front(found->second))
                    .str();
    else
      result += line;
  }
  return result;
}

} // namespace warplint
